import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Problem } from '../../contract/problem.ts'
import { SESSION_ENDS, type SessionEnd } from '../../contract/session.ts'
import { MAX_OWN_SESSIONS } from '../../contract/sessions.ts'
import { type FailedSignIn, failedSignIn, failureWords } from './failed-attempt.ts'
import { Notice } from '../components/notice.tsx'
import { isOfField } from './one-field.tsx'
import { ORGANIZATION_FIELD } from './organization-form.tsx'
import { text } from '../text/text.ts'
import { arrival } from '../session/session.ts'

interface Shown {
  problem: Problem
  /** Id of the field of the attempt. */
  field: string
  /** It failed at the service before this page opened. */
  failed?: FailedSignIn
}

interface Failure {
  /** Set if it failed at the service. */
  before: FailedSignIn | undefined
  /** Absent without a failure. */
  title: string | undefined
  notice: ReactNode
  /** Shows the failure of an attempt from a field; `undefined` when an attempt begins. */
  reportFor: (field: string) => (problem: Problem | undefined) => void
}

/** About the last failed attempt, or the session that ended. */
export function useSignInFailure(given: SessionEnd | undefined): Failure {
  const [before] = useState(failedSignIn)
  const [own, setOwn] = useState<Shown | undefined>(
    before && { problem: before.problem, field: ORGANIZATION_FIELD, failed: before },
  )
  const end = given ?? arrival().ended
  const shown = own ?? endOf(end)
  useLayoutEffect(() => {
    if (before) focusField(ORGANIZATION_FIELD)
  }, [before])
  const reportFor: Failure['reportFor'] = (field) => (problem) => {
    // A new attempt removes the former failure, also for a reload.
    if (problem === undefined) history.replaceState(null, '')
    setOwn(problem && { problem, field })
  }
  if (shown === undefined) return { before, title: undefined, notice: null, reportFor }
  const { problem, field, failed } = shown
  const words = failed
    ? failureWords(failed)
    : signInProblemWords(problem, own === undefined ? end : undefined)
  const focused = failed === undefined && !isOfField(problem)
  // Another key makes another notice, which takes the focus.
  const key = own ? 'attempt' : 'end'
  const notice = <Notice key={key} problem={problem} words={words} actions={below(field)} focused={focused} />
  return { before, title: words.title, notice, reportFor }
}

type End = ReturnType<typeof arrival>['ended']

const isNamed = (end: End): end is SessionEnd => SESSION_ENDS.includes(end as SessionEnd)

/** The reason why the session ended, if the page before this one or the server knows it. */
function endOf(end: End): Shown | undefined {
  if (end === undefined || end === 'done') return undefined
  return { problem: new Problem(isNamed(end) ? 'signed_out' : end), field: ORGANIZATION_FIELD }
}

function signInProblemWords({ code }: Problem, end: End) {
  const words = text().problem[code]
  const { elsewhere, tooMany } = text().signIn.ended
  if (!isNamed(end)) return words
  return { ...words, message: end === 'elsewhere' ? elsewhere : tooMany(MAX_OWN_SESSIONS) }
}

/** Also unfolds it. */
function focusField(id: string): void {
  const field = document.getElementById(id)
  field?.closest('details')?.setAttribute('open', '')
  field?.focus()
}

function below(field: string) {
  const { sign_in, again } = text().signIn.below
  const run = (): void => focusField(field)
  return { sign_in: { label: sign_in, run }, again: { label: again, run } }
}
