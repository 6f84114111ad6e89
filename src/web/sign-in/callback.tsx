import { useEffect, useState } from 'react'
import {
  CALLBACK_PATH,
  callbackError,
  callbackParameters,
  callbackState,
  readCallback,
} from '../../contract/authorize.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { asProblem, Problem } from '../../contract/problem.ts'
import { LOGIN_LIFETIME_SECONDS, type SignedIn } from '../../contract/session.ts'
import { getSession, postSession } from '../lib/api.ts'
import styles from '../components/app.module.css'
import type { StartedSignIn } from './authorize.ts'
import { type FailedSignIn, failedSignIn, failureWords, historyStateOf } from './failed-attempt.ts'
import { Mark } from '../components/icons.tsx'
import { Notice } from '../components/notice.tsx'
import { late } from '../lib/late.ts'
import { navigate, useTitle } from '../lib/router.ts'
import { openSession } from '../session/session.ts'
import { signOut } from '../session/sign-out.ts'
import { text } from '../text/text.ts'

type SignInOutcome = { returnTo: string; session: SignedIn } | { failure: FailedSignIn }

interface Finish {
  /** Never settles after a cancel. */
  outcome: Promise<SignInOutcome>
  cancel: (undo: () => void) => void
}

/** Finished once, however often React draws. */
let currentFinish: Finish | undefined

function startFinish(): Finish {
  const { href, search, hash } = location
  const parameters = callbackParameters(new URL(href))
  const isClean = search + hash === ''
  const failure = isClean ? failedSignIn() : undefined
  if (currentFinish && isClean && failure === undefined) return currentFinish
  history.replaceState(null, '', CALLBACK_PATH)
  let undo: (() => void) | undefined
  const finished = failure ? Promise.resolve({ failure }) : finish(parameters, href)
  const outcome = new Promise<SignInOutcome>((resolve) => {
    void finished.then((found) => {
      if (undo === undefined) resolve(found)
      // The request cannot be cancelled any more, so its session ends.
      else if ('session' in found) undo()
      return found
    })
  })
  currentFinish = { outcome, cancel: (how) => (undo = how) }
  return currentFinish
}

/** @param href of the answer, whose code and state another build of the page can use */
async function finish(parameters: URLSearchParams, href: string): Promise<SignInOutcome> {
  const answer = attempt(() => readCallback(parameters))
  // A refusal uses up its state too, and leads back to the address at which the sign-in began.
  const started = await late(import('./authorize.ts'), href)
    .then(({ consumeState }) => consumeState(callbackState(parameters)))
    .catch(asProblem)
  const returnTo = started instanceof Problem ? '/' : started.returnTo
  try {
    if (answer instanceof Problem) throw answer
    if (started instanceof Problem) throw started
    return { returnTo, session: await exchange(answer, started) }
  } catch (error) {
    const problem = asProblem(error)
    const failure = failureOf(problem, parameters, answer, started)
    const already = await signedInAlready(problem)
    if (already) return already
    const typedId = import('./typed-id.ts').then(({ withTypedId }) => withTypedId(failure))
    return { failure: await typedId.catch(() => failure) }
  }
}

function exchange(
  { code, state }: { code: string; state: string },
  started: StartedSignIn,
): Promise<SignedIn> {
  if (started.state !== state) throw new Problem('state_mismatch')
  const verifier = started.codeVerifier === undefined ? {} : { code_verifier: started.codeVerifier }
  return postSession({ code, state, ...verifier })
}

function failureOf(
  problem: Problem,
  parameters: URLSearchParams,
  answer: unknown,
  started: StartedSignIn | Problem,
): FailedSignIn {
  const isMalformed = problem === answer && problem.code === 'invalid_request'
  const error = callbackError(parameters)
  const failure: FailedSignIn = {
    problem: isMalformed ? new Problem('invalid_request') : problem,
    returnTo: '/',
    ...(isMalformed && { at: 'answer' }),
    ...(error && { error }),
  }
  if (started instanceof Problem) return failure
  const { returnTo, organizationId, startedAtMs } = started
  const known = { ...failure, returnTo, organizationId }
  // This tab started the sign-in, so only the cookie is missing. The browser drops it after its lifetime.
  const isCookieMissing = problem.code === 'state_mismatch' && problem.supportId !== undefined
  if (!isCookieMissing) return known
  return Date.now() - startedAtMs < LOGIN_LIFETIME_SECONDS * SECOND_MS
    ? { ...known, at: 'cookie' }
    : { ...known, problem: new Problem('login_expired') }
}

/** The back button after a sign-in leads here, with a used-up state. */
async function signedInAlready({ code }: Problem): Promise<SignInOutcome | undefined> {
  if (code !== 'state_mismatch') return undefined
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

function leave(to: string, failed?: FailedSignIn): void {
  currentFinish = undefined
  navigate(to, { replace: true, state: failed ? historyStateOf(failed) : null })
}

export function Callback() {
  const t = text().callback
  const [finishing] = useState(startFinish)
  const failed = useFailure(finishing)
  useTitle(failed ? failureWords(failed).title : t.title)
  if (failed) return <Failed failed={failed} />
  const cancel = (): void => {
    finishing.cancel(() => void signOut())
    leave('/')
  }
  return (
    <main id="main" className={styles.centre} data-finishing="">
      <Mark size={56} />
      <h1>{t.finishing}</h1>
      <output>{t.words}</output>
      <button type="button" data-kind="quiet" onClick={cancel}>
        {t.cancel}
      </button>
    </main>
  )
}

/** Leaves the page when the sign-in is finished. @returns the failure if it failed */
function useFailure({ outcome }: Finish): FailedSignIn | undefined {
  const [failed, setFailed] = useState<FailedSignIn>()
  useEffect(() => {
    let unmounted = false
    const follow = async (): Promise<void> => {
      const found = await outcome
      if (unmounted) return
      if ('failure' in found) {
        // A reload shows the same failure.
        history.replaceState(historyStateOf(found.failure), '')
        setFailed(found.failure)
        return
      }
      openSession(found.session)
      leave(found.returnTo)
    }
    void follow()
    return () => {
      unmounted = true
    }
  }, [outcome])
  return failed
}

function Failed({ failed }: { failed: FailedSignIn }) {
  const t = text().callback
  const again = { label: t.again, run: () => leave(failed.returnTo, failed) }
  return (
    <main id="main" className={styles.centre}>
      <Mark size={56} />
      <h1>{t.failed}</h1>
      <Notice problem={failed.problem} words={failureWords(failed)} next={again} focused />
    </main>
  )
}
