/** @jsxImportSource hono/jsx */
/** The only place that says how an issued value is shown after its creation (5.1.3, 5.2.4, U80). */
import { valueOf } from '../http/form.ts'
import type { Member } from './member.ts'
import type { Choices } from '../choices/choices.ts'
import { derive } from '../state/random.ts'
import { settingsLink } from './settings-page.tsx'

interface Shown {
  /** Hidden until it is asked for. */
  isMasked: boolean
  /** An application's secret is shown with its first list, and never after. */
  isSecretOnce: boolean
}

const SHOWN: Record<Choices['visibility'], Shown> = {
  always: { isMasked: false, isSecretOnce: false },
  masked: { isMasked: true, isSecretOnce: false },
  secret_once: { isMasked: false, isSecretOnce: true },
}

export const isShownOnce = ({ visibility }: Pick<Choices, 'visibility'>): boolean =>
  SHOWN[visibility].isSecretOnce

/** Stands for a key or application in an address, where its value must not (RFC 9700 4.3.2). */
export const handleOf = (value: string): string => derive(value, 'handle').slice(0, 16)

interface SecretProps {
  member: Member
  value: string
  /** What it is called, for those who only hear it. */
  name: string
  /** The screen that it is on, below `/settings`. */
  path: string
}

/** A value in a list: as it is, or masked with a link that shows this one. */
export const Secret = ({ member, value, name, path }: SecretProps) => {
  if (!SHOWN[member.context.choices.visibility].isMasked) return <Plain value={value} />
  const handle = handleOf(value)
  const isAsked = valueOf(new URL(member.c.req.url).searchParams, 'show') === handle
  const place = `value-${handle}`
  const isLong = value.length > 12
  return (
    <span class="masked" id={place}>
      {isAsked ? (
        <Plain value={value} />
      ) : (
        <code>
          <span aria-hidden="true">{'•'.repeat(12)}</span>
          <span class="aside">hidden{isLong && ', ends in '}</span>
          {isLong && value.slice(-4)}
        </code>
      )}{' '}
      <a href={`${settingsLink(member, path, isAsked ? '' : `&show=${handle}`)}#${place}`}>
        {isAsked ? 'Hide' : 'Show'}
        <span class="aside"> {name}</span>
      </a>
    </span>
  )
}

/** The secret of an application; `isUnseen` where this list is the first that has it. */
export const ApplicationSecret = ({ isUnseen, ...props }: SecretProps & { isUnseen: boolean }) => {
  if (!SHOWN[props.member.context.choices.visibility].isSecretOnce) return <Secret {...props} />
  if (!isUnseen) return <span class="quiet">It was shown once, when it was made.</span>
  return (
    <>
      <Plain value={props.value} />
      <strong class="once">Copy it now: it is not shown again.</strong>
    </>
  )
}

const Plain = ({ value }: { value: string }) => <code class="value">{value}</code>
