import { useLayoutEffect, useRef, useState } from 'react'
import type { Problem, ProblemCode } from '../../contract/problem.ts'
import { useElapsed } from '../lib/clock.ts'
import { reasonWords } from '../lib/words.ts'
import { navigate } from '../lib/router.ts'
import { sentences, spanWords } from '../text/format.ts'
import { text } from '../text/text.ts'

type Step = 'again' | 'sign_in' | 'reload' | 'home' | 'wait'

/** After any other problem a person tries again. */
const STEPS: Partial<Record<ProblemCode, Step>> = {
  invalid_request: 'reload',
  invalid_organization_id: 'sign_in',
  state_mismatch: 'sign_in',
  login_expired: 'sign_in',
  authorization_failed: 'sign_in',
  signed_out: 'sign_in',
  code_rejected: 'sign_in',
  key_rejected: 'sign_in',
  credential_refused: 'sign_in',
  access_withdrawn: 'sign_in',
  access_denied: 'sign_in',
  organization_refused: 'sign_in',
  forged_request: 'reload',
  not_found: 'home',
  method_not_allowed: 'reload',
  evidence_changed: 'reload',
  too_large: 'reload',
  unsupported_media_type: 'reload',
  rate_limited: 'wait',
  month_suspected: 'wait',
  limit_unknown: 'wait',
}

interface Action {
  label: string
  run: () => void
}

interface Actions {
  again?: Action
  sign_in?: Action
}

interface NoticeProps {
  problem: Problem
  /** More precise than the words of the problem's code. */
  words?: { title: string; message: string } | undefined
  /** Tries again, for free. */
  again?: () => void
  /** A step without an action leads to the start page. */
  actions?: Actions
  /** The next step, whatever the failure. */
  next?: Action
  /** The heading gets the focus. */
  focused?: boolean
}

export function Notice({ problem, words, again, actions, next, focused = false }: NoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const t = text().notice
  const { title, message } = words ?? text().problem[problem.code]
  const action = next ?? actionFor(STEPS[problem.code] ?? 'again', actions, again)
  // Before the paint, so the focus never appears elsewhere.
  useLayoutEffect(() => {
    if (focused) heading.current?.focus()
  }, [focused])
  return (
    <section className="notice" role="alert">
      <h2 ref={heading} tabIndex={focused ? -1 : undefined}>
        {title}
      </h2>
      <p>{message}</p>
      {problem.code === 'too_many_attempts' && <Wait key={problem.retryInMs} ms={problem.retryInMs} />}
      {problem.reasons.length > 0 && (
        <p className="quiet">{text().reason.whyWeThinkSo(sentences(...problem.reasons.map(reasonWords)))}</p>
      )}
      {action && (
        <button type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
      {problem.supportId && (
        <p className="quiet">
          {t.supportId} <code>{problem.supportId}</code> {problem.fault && <code>{problem.fault}</code>}
        </p>
      )}
    </section>
  )
}

/** Counts down. A screen reader does not read out each change of a timer. */
function Wait({ ms = 0 }: { ms: number | undefined }) {
  const [atMs] = useState(() => Date.now())
  const leftMs = ms - useElapsed(atMs)
  return leftMs > 0 && <p role="timer">{text().notice.tryAgainIn(spanWords(leftMs))}</p>
}

/** On the start page a step to the start page becomes a reload. */
function actionFor(step: Step, actions?: Actions, again?: () => void): Action | undefined {
  if (step === 'wait') return undefined
  const { reload, goToStart, tryAgainFree } = text().app
  if (step === 'again' && again) return { label: tryAgainFree, run: again }
  const named = actions?.[step as keyof Actions]
  if (named) return named
  return step === 'reload' || location.pathname === '/'
    ? { label: reload, run: () => location.reload() }
    : { label: goToStart, run: () => navigate('/') }
}
