import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CALLBACK_PATH, callbackParameters, callbackState, readCallback } from '../contract/authorize.ts'
import { asProblem, Problem } from '../contract/problem.ts'
import type { SignedIn } from '../contract/session.ts'
import { getSession, postSession } from './api.ts'
import styles from './app.module.css'
import { Mark } from './mark.tsx'
import { Notice } from './notice.tsx'
import { navigate, useTitle } from './router.ts'
import { applySession } from './session.ts'
import { signOut } from './sign-out.ts'
import { text } from './text/text.ts'

interface Outcome {
  returnTo: string
  session?: SignedIn
  problem?: Problem
}

interface Finish {
  /** Never settles where it was cancelled. */
  outcome: Promise<Outcome>
  cancel: (undo: () => void) => void
}

/** The sign-in that this page was opened to finish: once, however often React draws. */
let current: Finish | undefined

function startFinish(): Finish {
  const parameters = callbackParameters(new URL(location.href))
  if (current && location.search === '' && location.hash === '') return current
  history.replaceState(null, '', CALLBACK_PATH)
  let undo: (() => void) | undefined
  const finished = finish(parameters)
  const outcome = new Promise<Outcome>((resolve) => {
    void finished.then((found) => {
      if (undo === undefined) resolve(found)
      // The request cannot be taken back any more: a session that it opened is ended.
      else if (found.session) undo()
      return found
    })
  })
  current = { outcome, cancel: (how) => (undo = how) }
  return current
}

async function finish(parameters: URLSearchParams): Promise<Outcome> {
  let returnTo = '/'
  try {
    const { consumeState } = await import('./authorize.ts').catch((cause: unknown) => {
      throw new Problem('bff_unreachable', { cause })
    })
    const answer = attempt(() => readCallback(parameters))
    // Also a refusal uses its state up, and leads back to the address at which the sign-in began.
    const started = await consumeState(callbackState(parameters)).catch(asProblem)
    if (!(started instanceof Problem)) returnTo = started.returnTo
    if (answer instanceof Problem) throw answer
    if (started instanceof Problem) throw started
    const { code, state } = answer
    if (started.state !== state) throw new Problem('state_mismatch')
    const verifier = started.codeVerifier === undefined ? {} : { code_verifier: started.codeVerifier }
    return { returnTo, session: await postSession({ code, state, ...verifier }) }
  } catch (error) {
    const problem = asProblem(error)
    const isRepeated = problem.code === 'state_mismatch'
    return (isRepeated ? await signedInAlready() : undefined) ?? { returnTo, problem }
  }
}

/** The back button after a sign-in leads here with a state that is used up. */
async function signedInAlready(): Promise<Outcome | undefined> {
  const session = await getSession().catch(() => undefined)
  return session?.signed_in ? { returnTo: '/', session } : undefined
}

function attempt<Result>(work: () => Result): Result | Problem {
  try {
    return work()
  } catch (error) {
    return asProblem(error)
  }
}

function leave(to: string): void {
  current = undefined
  navigate(to, { replace: true })
}

export function Callback() {
  const t = text().callback
  useTitle(t.title)
  const client = useQueryClient()
  const [finishing] = useState(startFinish)
  const failed = useFailure(finishing, client)
  if (failed) return <Failed outcome={failed} />
  const cancel = (): void => {
    finishing.cancel(() => void signOut(client))
    leave('/')
  }
  return (
    <main className={styles.centre}>
      <Mark size={56} />
      <h1>{t.finishing}</h1>
      <output>{t.words}</output>
      <button type="button" data-kind="quiet" onClick={cancel}>
        {t.cancel}
      </button>
    </main>
  )
}

/** Leaves the page when the sign-in is finished. @returns the outcome when it failed */
function useFailure({ outcome }: Finish, client: QueryClient): Outcome | undefined {
  const [failed, setFailed] = useState<Outcome>()
  useEffect(() => {
    let unmounted = false
    const follow = async (): Promise<void> => {
      const found = await outcome
      if (unmounted) return
      if (found.problem) setFailed(found)
      if (!found.session) return
      applySession(client, found.session)
      leave(found.returnTo)
    }
    void follow()
    return () => {
      unmounted = true
    }
  }, [outcome, client])
  return failed
}

function Failed({ outcome: { problem, returnTo } }: { outcome: Outcome }) {
  const t = text().callback
  const again = { label: t.again, run: () => leave(returnTo) }
  return (
    <main className={styles.centre}>
      <Mark size={56} />
      <h1>{t.failed}</h1>
      {problem && <Notice problem={problem} actions={{ sign_in: again, again }} />}
    </main>
  )
}
