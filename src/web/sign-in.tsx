import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { isApiKey } from '../contract/credential.ts'
import { type OrganizationId, readOrganizationId } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import type { SignedOut } from '../contract/session.ts'
import { postSession } from './api.ts'
import { Mark } from './mark.tsx'
import { Notice } from './notice.tsx'
import { currentAddress } from './return-to.ts'
import { placeOf, usePathname, useTitle } from './router.ts'
import { applySession } from './session.ts'
import styles from './sign-in.module.css'
import { useUi } from './ui.ts'

export function SignIn({ application }: { application: SignedOut['authorize'] }) {
  useTitle('Sign in')
  const farewell = useUi((ui) => ui.farewell)
  const [problem, setProblem] = useState<Problem>()
  const home = new URL(application.redirect_uri).origin
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.mark}>
          <Mark size={64} />
        </p>
        <h1>Plimsoll</h1>
        <p className={styles.lead}>See your organization, and how much of its request quota is left.</p>
        {farewell?.kind === 'done' && <output className={styles.farewell}>You are signed out</output>}
        {farewell?.kind === 'ended' && !problem && <Notice problem={farewell.problem} actions={BELOW} />}
        {problem && <Notice problem={problem} actions={BELOW} />}
        {home === location.origin ? (
          <ByOrganization application={application} onProblem={setProblem} />
        ) : (
          <Elsewhere home={home} />
        )}
        <details className={styles.other}>
          <summary>Use an API key instead</summary>
          <ByKey onProblem={setProblem} />
        </details>
      </div>
    </main>
  )
}

/** Whoever came by another address than the one that the service sends people back to would come back as a stranger. */
function Elsewhere({ home }: { home: string }) {
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

function ByOrganization({ application, onProblem }: { application: SignedOut['authorize'] } & Reports) {
  const place = placeOf(usePathname())
  const [typed, setTyped] = useState(place.name === 'organization' ? place.id : '')
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const id = understood(typed)
  const [hint, error] = [useId(), useId()]

  const start = async (organizationId: OrganizationId): Promise<void> => {
    onProblem(undefined)
    setBusy(true)
    try {
      const { startSignIn } = await import('./authorize.ts').catch(unreachable)
      location.assign(await startSignIn(application, organizationId, currentAddress()))
    } catch (cause) {
      setBusy(false)
      onProblem(asProblem(cause))
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (busy) return
    setFault(id === undefined ? faultOf(typed) : '')
    if (id === undefined) focusField()
    else void start(id)
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <label htmlFor="organization-id">Organization id, or the address of your project list</label>
      <input
        id="organization-id"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setFault('')
        }}
        inputMode="text"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={fault !== ''}
        aria-describedby={fault ? `${error} ${hint}` : hint}
      />
      {fault && (
        <p id={error} className={styles.fault}>
          {fault}
        </p>
      )}
      <p id={hint} className={styles.hint} aria-live="polite">
        {id === undefined || id === typed ? (
          'It is the number after organization_id= in the address of your project list.'
        ) : (
          <strong>organization {id}</strong>
        )}
      </p>
      <button type="submit" data-kind="primary" aria-disabled={busy} aria-busy={busy}>
        {busy ? 'Going to the service…' : 'Sign in · 1 request'}
      </button>
    </form>
  )
}

function ByKey({ onProblem }: Reports) {
  const client = useQueryClient()
  const [key, setKey] = useState('')
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const error = useId()

  const start = async (): Promise<void> => {
    onProblem(undefined)
    setBusy(true)
    try {
      applySession(client, await postSession({ api_key: key.trim() }))
    } catch (cause) {
      setBusy(false)
      onProblem(asProblem(cause))
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (busy) return
    const usable = isApiKey(key.trim())
    setFault(
      usable
        ? ''
        : key.trim() === ''
          ? 'Paste the API key.'
          : 'An API key has no blanks in it, and only plain characters.',
    )
    if (usable) void start()
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <label htmlFor="api-key">API key</label>
      <input
        id="api-key"
        type="password"
        value={key}
        onChange={(event) => {
          setKey(event.target.value)
          setFault('')
        }}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={fault !== ''}
        aria-describedby={fault ? error : undefined}
      />
      {fault && (
        <p id={error} className={styles.fault}>
          {fault}
        </p>
      )}
      <button type="submit" aria-disabled={busy} aria-busy={busy}>
        {busy ? 'Trying the key…' : 'Sign in with the key · 1 request'}
      </button>
    </form>
  )
}

function understood(typed: string): OrganizationId | undefined {
  try {
    return readOrganizationId(typed)
  } catch {
    return undefined
  }
}

function faultOf(typed: string): string {
  const text = typed.trim()
  if (text === '') return 'Type the organization id.'
  return /^https?:/i.test(text)
    ? 'There is no organization_id in this address, or more than one.'
    : 'An organization id is a positive whole number, such as 1001.'
}

const asProblem = (cause: unknown): Problem =>
  cause instanceof Problem ? cause : new Problem('unknown', { cause })
const unreachable = (cause: unknown): never => {
  throw new Problem('bff_unreachable', { cause })
}
