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
import { loadAnew, useTitle } from '../lib/router.ts'
import { storeChoices } from '../preferences/cookie.ts'
import { changeSession } from '../session/session.ts'
import { text } from '../text/text.ts'

type SignInOutcome = { returnTo: string; hasRead: boolean } | { failure: FailedSignIn }

/** Finished once, however often React draws. */
let finishing: Promise<SignInOutcome> | undefined

function finishOnce(): Promise<SignInOutcome> {
  const { href, search, hash } = location
  const isClean = search + hash === ''
  const failure = isClean ? failedSignIn() : undefined
  if (failure) return Promise.resolve({ failure })
  if (finishing && isClean) return finishing
  history.replaceState(null, '', CALLBACK_PATH)
  finishing = finish(callbackParameters(new URL(href)), href)
  return finishing
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
    await exchange(answer, started)
    return { returnTo, hasRead: true }
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
  return session?.signed_in ? { returnTo: '/', hasRead: false } : undefined
}

function attempt<Result>(work: () => Result): Result | Problem {
  try {
    return work()
  } catch (error) {
    return asProblem(error)
  }
}

export function Callback() {
  const t = text().callback
  const [outcome] = useState(finishOnce)
  const failed = useFailure(outcome)
  useTitle(failed ? failureWords(failed).title : t.title)
  if (failed) return <Failed failed={failed} />
  return (
    <main id="main" className={styles.centre} data-finishing="">
      <Mark size={56} />
      <h1>{t.finishing}</h1>
      <output>{t.words}</output>
    </main>
  )
}

/** Leaves the page when the sign-in is finished. @returns the failure if it failed */
function useFailure(outcome: Promise<SignInOutcome>): FailedSignIn | undefined {
  const [failed, setFailed] = useState<FailedSignIn>()
  useEffect(() => {
    let unmounted = false
    const follow = async (): Promise<void> => {
      const found = await outcome
      if (unmounted) return
      if (!('failure' in found)) return changeSession(found.returnTo, found.hasRead ? { hasRead: true } : {})
      // A reload shows the same failure.
      history.replaceState(historyStateOf(found.failure), '')
      setFailed(found.failure)
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
  const run = (): void => {
    storeChoices({ isOwn: true })
    loadAnew(failed.returnTo, historyStateOf(failed))
  }
  const again = { label: t.again, run }
  return (
    <main id="main" className={styles.centre}>
      <Mark size={56} />
      <h1>{t.failed}</h1>
      <Notice problem={failed.problem} words={failureWords(failed)} next={again} focused />
    </main>
  )
}
