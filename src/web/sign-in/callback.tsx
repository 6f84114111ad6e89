import { useLayoutEffect, useRef, useState } from 'react'
import { BFF } from '../../contract/api.ts'
import {
  CALLBACK_PATH,
  callbackError,
  callbackParameters,
  callbackState,
  readCallback,
} from '../../contract/authorize.ts'
import type { OrganizationId } from '../../contract/organization.ts'
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

/** What a page says that was loaded again before it knew how the sign-in ends. */
const INTERRUPTED: FailedSignIn = { problem: new Problem('signed_out'), returnTo: '/' }

/** Leaves the page when the sign-in is finished. @returns the failure if it failed */
async function finish(): Promise<FailedSignIn | undefined> {
  const { href, search, hash } = location
  if (search + hash === '') return afterReload(failedSignIn() ?? INTERRUPTED)
  const parameters = callbackParameters(new URL(href))
  history.replaceState(null, '', CALLBACK_PATH)
  // A refusal leads back to the address at which the sign-in began too.
  const started = await readStarted(callbackState(parameters)).catch(asProblem)
  const known = started instanceof Problem ? { returnTo: '/' } : started
  keep({ ...INTERRUPTED, ...known })
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
    keep(failure)
    return failure
  }
}

/** A reload shows it. */
const keep = (failure: FailedSignIn): void => history.replaceState(historyStateOf(failure), '')

/** The answer may have opened the session before the page was loaded again. */
async function afterReload(failure: FailedSignIn): Promise<FailedSignIn | undefined> {
  const { problem, returnTo, organizationId } = failure
  if (problem.code !== INTERRUPTED.problem.code || !(await isSignedIn(organizationId))) return failure
  changeSession(returnTo)
  return undefined
}

/** What the cookie of the sign-in keeps. @throws Problem `state_mismatch` if this browser did not start it */
async function readStarted(state: string): Promise<Pick<FailedSignIn, 'returnTo' | 'organizationId'>> {
  const { organization_id: organizationId, return_to } = await requestJson<StartedLogin>(BFF.startedLogin, {
    method: 'POST',
    body: { state },
  })
  return { organizationId, returnTo: safeReturnTo(return_to) }
}

/** @param id of the organization, or any */
const isSignedIn = (id?: OrganizationId): Promise<boolean> =>
  getSession().then(
    (session) => session.signed_in && (id === undefined || session.organization_id === id),
    () => false,
  )

export function Callback() {
  const t = text().callback
  const hasBegun = useRef(false)
  const [failed, setFailed] = useState<FailedSignIn>()
  useLayoutEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    void finish().then(setFailed)
  }, [])
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
