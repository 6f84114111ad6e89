import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useId, useRef, useState } from 'react'
import { isApiKey } from '../contract/credential.ts'
import { type OrganizationId, readOrganizationId } from '../contract/organization.ts'
import { asProblem, Problem } from '../contract/problem.ts'
import type { SessionEnd, SignedOut } from '../contract/session.ts'
import { MAX_OWN_SESSIONS } from '../contract/sessions.ts'
import { postSession } from './api.ts'
import { Mark } from './mark.tsx'
import { Notice } from './notice.tsx'
import { currentAddress } from './return-to.ts'
import { placeOf, usePathname, useTitle } from './router.ts'
import { applySession } from './session.ts'
import styles from './sign-in.module.css'
import { useUi } from './ui.ts'

type Application = SignedOut['authorize']

const ENDS: Record<SessionEnd, string> = {
  elsewhere: 'It was ended in the list of your sessions, in another browser.',
  too_many: `It was the oldest of ${MAX_OWN_SESSIONS} sessions when another one was opened.`,
}

export function SignIn({
  application,
  ended: end,
}: {
  application: Application
  ended?: SessionEnd | undefined
}) {
  useTitle('Sign in')
  const signOut = useUi((ui) => ui.signOut)
  const [problem, setProblem] = useState<Problem>()
  const because = signOut?.kind === 'ended' ? signOut.problem : undefined
  const ended = end === undefined ? because : new Problem('signed_out', { detail: ENDS[end] })
  const shown = problem ?? ended
  const home = new URL(application.redirect_uri).origin
  return (
    <main id="main" className={styles.page}>
      <div className={styles.card}>
        <p className={styles.mark}>
          <Mark size={64} />
        </p>
        <h1>Plimsoll</h1>
        <p className={styles.lead}>See your organization, and how much of its request quota is left.</p>
        {signOut?.kind === 'done' && <output className={styles.done}>You are signed out</output>}
        {shown && <Notice problem={shown} actions={BELOW} />}
        {home === location.origin ? (
          <ByOrganization application={application} onProblem={setProblem} />
        ) : (
          <OtherAddress home={home} />
        )}
        <details className={styles.other}>
          <summary>Use an API key instead</summary>
          <ByKey onProblem={setProblem} />
        </details>
      </div>
    </main>
  )
}

/** A sign-in that begins at another address than the redirect URI ends there, without the state of this page. */
function OtherAddress({ home }: { home: string }) {
  return (
    <div className={styles.form}>
      <p>The service sends people back to {home}, so a sign-in has to begin there.</p>
      <p>
        <a href={home + currentAddress()}>Go to {home}</a>
      </p>
    </div>
  )
}

const focusField = (): void => document.querySelector<HTMLElement>('form input')?.focus()
const BELOW = {
  sign_in: { label: 'Sign in below', run: focusField },
  again: { label: 'Try again below', run: focusField },
}

interface Reports {
  onProblem: (problem: Problem | undefined) => void
}

function ByOrganization({ application, onProblem }: { application: Application } & Reports) {
  const place = placeOf(usePathname())
  const send = async (typed: string): Promise<void> => {
    const { startSignIn } = await import('./authorize.ts').catch(unreachable)
    location.assign(await startSignIn(application, readOrganizationId(typed), currentAddress()))
  }
  return (
    <OneField
      label="Organization id, or the address of your project list"
      input={{ id: 'organization-id', inputMode: 'text', autoCapitalize: 'none' }}
      initial={place.name === 'organization' ? place.id : ''}
      hint={organizationHint}
      errorOf={organizationError}
      button={{ kind: 'primary', label: 'Sign in · 1 request', busy: 'Going to the service…' }}
      send={send}
      onProblem={onProblem}
    />
  )
}

const unreachable = (cause: unknown): never => {
  throw new Problem('bff_unreachable', { cause })
}

function readTyped(typed: string): OrganizationId | undefined {
  try {
    return readOrganizationId(typed)
  } catch {
    return undefined
  }
}

function organizationHint(typed: string): ReactNode {
  const id = readTyped(typed)
  return id === undefined || id === typed ? (
    'It is the number after organization_id= in the address of your project list.'
  ) : (
    <strong>organization {id}</strong>
  )
}

function organizationError(typed: string): string {
  if (readTyped(typed) !== undefined) return ''
  const text = typed.trim()
  if (text === '') return 'Type the organization id.'
  return /^https?:/i.test(text)
    ? 'There is no organization_id in this address, or more than one.'
    : 'An organization id is a positive whole number, such as 1001.'
}

function ByKey({ onProblem }: Reports) {
  const client = useQueryClient()
  const send = async (typed: string): Promise<void> =>
    applySession(client, await postSession({ api_key: typed.trim() }))
  return (
    <OneField
      label="API key"
      input={{ id: 'api-key', type: 'password' }}
      initial=""
      errorOf={keyError}
      button={{ kind: undefined, label: 'Sign in with the key · 1 request', busy: 'Trying the key…' }}
      send={send}
      onProblem={onProblem}
    />
  )
}

function keyError(typed: string): string {
  if (isApiKey(typed.trim())) return ''
  return typed.trim() === ''
    ? 'Paste the API key.'
    : 'An API key has no blanks in it, and only plain characters.'
}

interface OneFieldProps extends Reports {
  label: string
  input: InputHTMLAttributes<HTMLInputElement> & { id: string }
  initial: string
  hint?: (typed: string) => ReactNode
  /** What is wrong with what was typed; empty where it can be sent. */
  errorOf: (typed: string) => string
  button: { kind: string | undefined; label: string; busy: string }
  send: (typed: string) => Promise<void>
}

/** A form of one field, sent once however often its button is pressed. */
function OneField({ label, input, initial, hint, button, ...rest }: OneFieldProps) {
  const { typed, type, error, busy, submit, field } = useOneField(initial, rest)
  const [hintId, errorId] = [useId(), useId()]
  const describedBy = [...(error ? [errorId] : []), ...(hint ? [hintId] : [])].join(' ')
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <label htmlFor={input.id}>{label}</label>
      <input
        {...input}
        ref={field}
        value={typed}
        onChange={(event) => type(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error !== ''}
        aria-describedby={describedBy || undefined}
      />
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} className={styles.hint} aria-live="polite">
          {hint(typed)}
        </p>
      )}
      <button type="submit" data-kind={button.kind} aria-disabled={busy} aria-busy={busy}>
        {busy ? button.busy : button.label}
      </button>
    </form>
  )
}

function useOneField(
  initial: string,
  { errorOf, send, onProblem }: Pick<OneFieldProps, 'errorOf' | 'send' | 'onProblem'>,
) {
  const [typed, setTyped] = useState(initial)
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const start = async (): Promise<void> => {
    onProblem(undefined)
    setBusy(true)
    try {
      await send(typed)
    } catch (cause) {
      setBusy(false)
      onProblem(asProblem(cause))
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (busy) return
    const found = errorOf(typed)
    setError(found)
    if (found === '') void start()
    else field.current?.focus()
  }
  const type = (text: string): void => {
    setTyped(text)
    setError('')
  }
  return { typed, type, error, busy, submit, field }
}
