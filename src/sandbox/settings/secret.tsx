/** @jsxImportSource hono/jsx */
/** Shows an issued value after its creation (5.1.3, 5.2.4, U80). */
import { valueOf } from '../http/form.ts'
import type { Member } from './member.ts'
import type { Choices } from '../choices/choices.ts'
import { derive } from '../state/random.ts'
import { settingsLink } from './settings-page.tsx'

interface Visibility {
  /** The value is hidden until its link is followed. */
  isMasked: boolean
  /** An application's secret is shown in the first list after its creation, and never again. */
  isSecretOnce: boolean
}

const VISIBILITIES: Record<Choices['visibility'], Visibility> = {
  always: { isMasked: false, isSecretOnce: false },
  masked: { isMasked: true, isSecretOnce: false },
  secret_once: { isMasked: false, isSecretOnce: true },
}

export const isShownOnce = ({ visibility }: Pick<Choices, 'visibility'>): boolean =>
  VISIBILITIES[visibility].isSecretOnce

/** For an address, which must not have the value (RFC 9700 4.3.2). */
export const handleOf = (value: string): string => derive(value, 'handle').slice(0, 16)

interface SecretProps {
  member: Member
  value: string
  /** For screen readers. */
  name: string
  /** Below `/settings`. */
  path: string
}

/** In plain text, or masked with a link that shows it. */
export const Secret = ({ member, value, name, path }: SecretProps) => {
  if (!VISIBILITIES[member.context.choices.visibility].isMasked) return <PlainValue value={value} />
  const handle = handleOf(value)
  const isShown = valueOf(member.c.req.url.searchParams, 'show') === handle
  const elementId = `value-${handle}`
  const isLong = value.length > 12
  return (
    <span class="masked" id={elementId}>
      {isShown ? (
        <PlainValue value={value} />
      ) : (
        <code>
          <span aria-hidden="true">{'•'.repeat(12)}</span>
          <span class="aside">hidden{isLong && ', ends in '}</span>
          {isLong && value.slice(-4)}
        </code>
      )}{' '}
      <a href={`${settingsLink(member, path, isShown ? '' : `&show=${handle}`)}#${elementId}`}>
        {isShown ? 'Hide' : 'Show'}
        <span class="aside"> {name}</span>
      </a>
    </span>
  )
}

/** `isUnseen` is true in the first list that shows it. */
export const ApplicationSecret = ({ isUnseen, ...props }: SecretProps & { isUnseen: boolean }) => {
  if (!VISIBILITIES[props.member.context.choices.visibility].isSecretOnce) return <Secret {...props} />
  if (!isUnseen) return <span class="quiet">It was shown once, after its creation.</span>
  return (
    <>
      <PlainValue value={props.value} />
      <strong class="once">Copy it now: it is not shown again.</strong>
    </>
  )
}

const PlainValue = ({ value }: { value: string }) => <code class="value">{value}</code>
