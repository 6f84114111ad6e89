import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CALLBACK_PATH, callbackParameters, readCallback } from '../contract/authorize.ts'
import { Problem } from '../contract/problem.ts'
import type { SignedIn } from '../contract/session.ts'
import { getSession, postSession } from './api.ts'
import styles from './app.module.css'
import { Mark } from './mark.tsx'
import { Notice } from './notice.tsx'
import { navigate, useTitle } from './router.ts'
import { applySession, signOut } from './session.ts'

interface Arrival {
  returnTo: string
  session?: SignedIn
  problem?: Problem
}

interface Visit {
  /** Never settles for a visit that was cancelled. */
  arrival: Promise<Arrival>
  cancel: (undo: () => void) => void
}

/** The sign-in that this page was opened to finish: once, however often React draws. */
let current: Visit | undefined

function arrive(): Visit {
  const address = inQuery(new URL(location.href))
  if (current && location.search === '' && location.hash === '') return current
  history.replaceState(null, '', CALLBACK_PATH)
  let undo: (() => void) | undefined
  const finished = finish(address)
  const arrival = new Promise<Arrival>((resolve) => {
    void finished.then((outcome) => {
      if (undo === undefined) resolve(outcome)
      // Too late to call back what was sent: a session that comes of it is ended.
      else if (outcome.session) undo()
      return outcome
    })
  })
  current = { arrival, cancel: (how) => (undo = how) }
  return current
}

/** The address with its answer in the query, which is where oidc-client-ts looks for the state. */
function inQuery(address: URL): string {
  const { origin, pathname } = address
  return `${origin}${pathname}?${callbackParameters(address)}`
}

async function finish(address: string): Promise<Arrival> {
  let returnTo = '/'
  try {
    const { consumeState } = await import('./authorize.ts').catch((cause: unknown) => {
      throw new Problem('bff_unreachable', { cause })
    })
    const answer = attempt(() => readCallback(new URL(address).searchParams))
    // Also a refusal uses its state up, and leads back to where the person came from.
    const started = await consumeState(address).catch((problem: Problem) => problem)
    if (!(started instanceof Problem)) returnTo = started.returnTo
    if (answer instanceof Problem) throw answer
    if (started instanceof Problem) throw started
    const { code, state } = answer
    if (started.state !== state) throw new Problem('state_mismatch')
    const verifier = started.codeVerifier === undefined ? {} : { code_verifier: started.codeVerifier }
    return { returnTo, session: await postSession({ code, state, ...verifier }) }
  } catch (cause) {
    const problem = cause instanceof Problem ? cause : new Problem('unknown', { cause })
    return problem.code === 'state_mismatch'
      ? ((await signedInAlready()) ?? { returnTo, problem })
      : { returnTo, problem }
  }
}

/** The back button after a sign-in leads here with a state that is used up. */
async function signedInAlready(): Promise<Arrival | undefined> {
  const session = await getSession().catch(() => undefined)
  return session?.signed_in ? { returnTo: '/', session } : undefined
}

function attempt<Result>(work: () => Result): Result | Problem {
  try {
    return work()
  } catch (error) {
    return error instanceof Problem ? error : new Problem('unknown', { cause: error })
  }
}

export function Callback() {
  useTitle('Signing in')
  const client = useQueryClient()
  const [visit] = useState(arrive)
  const [failed, setFailed] = useState<Arrival>()

  useEffect(() => {
    let gone = false
    const settle = async (): Promise<void> => {
      const { session, problem, returnTo } = await visit.arrival
      if (gone) return
      if (problem) setFailed({ problem, returnTo })
      if (!session) return
      current = undefined
      applySession(client, session)
      navigate(returnTo, { replace: true })
    }
    void settle()
    return () => {
      gone = true
    }
  }, [visit, client])

  const leave = (to: string): void => {
    current = undefined
    navigate(to, { replace: true })
  }
  const cancel = (): void => {
    visit.cancel(() => void signOut(client))
    leave('/')
  }
  if (failed?.problem) {
    const again = { label: 'Start again', run: () => leave(failed.returnTo) }
    return (
      <main className={styles.centre}>
        <Mark size={56} />
        <h1>The sign-in did not finish</h1>
        <Notice problem={failed.problem} actions={{ sign_in: again, again }} />
      </main>
    )
  }
  return (
    <main className={styles.centre}>
      <Mark size={56} />
      <h1>Finishing the sign-in…</h1>
      <output>The service has answered. Its code is being exchanged, and your organization read once.</output>
      <button type="button" data-kind="quiet" onClick={cancel}>
        Cancel
      </button>
    </main>
  )
}
