import { useEffect, useState } from 'react'
import { BFF } from '../../contract/api.ts'
import {
  CALLBACK_PATH,
  callbackError,
  callbackParameters,
  callbackState,
  readCallback,
} from '../../contract/authorize.ts'
import type { StartedLogin } from '../../contract/session.ts'
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

/** Finished once, however often React draws. */
let finishing: Promise<FailedSignIn | undefined> | undefined

function finishOnce(): Promise<FailedSignIn | undefined> {
  const { href, search, hash } = location
  const isClean = search + hash === ''
  const failure = isClean ? failedSignIn() : undefined
  if (failure) return Promise.resolve(failure)
  if (finishing && isClean) return finishing
  history.replaceState(null, '', CALLBACK_PATH)
  finishing = finish(callbackParameters(new URL(href)))
  return finishing
}

/** Leaves the page when the sign-in is finished. @returns the failure if it failed */
async function finish(parameters: URLSearchParams): Promise<FailedSignIn | undefined> {
  // A refusal leads back to the address at which the sign-in began too.
  const started = await readStarted(callbackState(parameters)).catch(asProblem)
  const known = started instanceof Problem ? { returnTo: '/' } : started
  try {
    const answer = readCallback(parameters)
    if (started instanceof Problem) throw started
    await postSession(answer)
    changeSession(known.returnTo)
    return undefined
  } catch (error) {
    const problem = asProblem(error)
    // The back button after a sign-in leads here, with a used-up state.
    if (problem.code === 'state_mismatch' && (await isSignedIn())) {
      changeSession('/')
      return undefined
    }
    const failure = { ...known, problem, error: callbackError(parameters) }
    // A reload shows the same failure.
    history.replaceState(historyStateOf(failure), '')
    return failure
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

export function Callback() {
  const t = text().callback
  const [finished] = useState(finishOnce)
  const [failed, setFailed] = useState<FailedSignIn>()
  useEffect(() => void finished.then(setFailed), [finished])
  useTitle(failed ? failureWords(failed).title : t.title)
  if (failed) return <Failed failed={failed} />
  return <Waiting words={t.finishing} />
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
