import { useEffect, useState } from 'react'
import { BFF } from '../../contract/api.ts'
import {
  CALLBACK_PATH,
  callbackError,
  callbackParameters,
  callbackState,
  readCallback,
} from '../../contract/authorize.ts'
import type { StartedLogin } from '../../contract/login.ts'
import { asProblem, Problem } from '../../contract/problem.ts'
import { Centre, Waiting } from '../components/centre.tsx'
import { Notice } from '../components/notice.tsx'
import { getSession, postSession, requestJson } from '../lib/api.ts'
import { loadAnew, useTitle } from '../lib/router.ts'
import { storeChoices } from '../preferences/preferences.ts'
import { changeSession } from '../session/session.ts'
import { text } from '../text/text.ts'
import { type FailedSignIn, failedSignIn, failureWords, historyStateOf } from './failure.tsx'
import { safeReturnTo } from './entry.ts'

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
  finishing = finish(callbackParameters(new URL(href)))
  return finishing
}

async function finish(parameters: URLSearchParams): Promise<SignInOutcome> {
  const answer = attempt(() => readCallback(parameters))
  // A refusal leads back to the address at which the sign-in began too.
  const started = await readStarted(callbackState(parameters)).catch(asProblem)
  try {
    if (answer instanceof Problem) throw answer
    if (started instanceof Problem) throw started
    await postSession(answer)
    return { returnTo: started.returnTo, hasRead: true }
  } catch (error) {
    const problem = asProblem(error)
    // The back button after a sign-in leads here, with a used-up state.
    if (problem.code === 'state_mismatch' && (await isSignedIn())) return { returnTo: '/', hasRead: false }
    const known = started instanceof Problem ? { returnTo: '/' } : started
    return { failure: { ...known, problem, error: callbackError(parameters) } }
  }
}

/** What the cookie of the sign-in keeps. @throws Problem `state_mismatch` if this browser did not start it */
async function readStarted(state: string): Promise<Pick<FailedSignIn, 'returnTo' | 'organizationId'>> {
  const { organization_id: organizationId, return_to } = await requestJson<StartedLogin>(BFF.startedLogin, {
    method: 'POST',
    body: { state },
  })
  return { organizationId, returnTo: safeReturnTo(return_to) }
}

const isSignedIn = (): Promise<boolean> =>
  getSession().then(
    ({ signed_in }) => signed_in,
    () => false,
  )

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
  return <Waiting words={t.finishing} />
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
    <Centre title={t.failed}>
      <Notice problem={failed.problem} words={failureWords(failed)} next={again} focused />
    </Centre>
  )
}
