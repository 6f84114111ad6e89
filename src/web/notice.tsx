import { PROBLEMS, type Problem, type ProblemCode } from '../contract/problem.ts'
import styles from './notice.module.css'
import { reasonWords } from './reason-words.ts'
import { navigate } from './router.ts'
import { text } from './text/text.ts'
import { spanWords } from './time.ts'

type Step = 'again' | 'sign_in' | 'reload' | 'home' | 'wait'

/** For each failure: what it means for the person, and the one next step. */
const ADVICE: Record<ProblemCode, readonly [message: string, step: Step]> = {
  invalid_request: [
    'The server did not accept what the page sent. A fresh copy of the page may help.',
    'reload',
  ],
  invalid_organization_id: [
    'Look for the number behind organization_id in the address of your project list.',
    'sign_in',
  ],
  state_mismatch: [
    'It was started in another tab or browser, was finished already, or this browser stores no cookies. Nothing was opened.',
    'sign_in',
  ],
  login_expired: ['For safety a sign-in has to be finished within ten minutes.', 'sign_in'],
  authorization_failed: ['The service sent you back without a permission. It did not say why.', 'sign_in'],
  signed_out: ['The session has ended, here or in another tab.', 'sign_in'],
  code_rejected: ['The code was used already or has become too old. No session was opened.', 'sign_in'],
  key_rejected: [
    'Check that the whole key was copied, and that it is still listed in the organization’s settings.',
    'sign_in',
  ],
  credential_refused: ['The service stopped taking the permission this session was opened with.', 'sign_in'],
  access_withdrawn: ['The permission was withdrawn, or it ran out.', 'sign_in'],
  access_denied: ['On the service’s page you chose not to permit access. Nothing was opened.', 'sign_in'],
  organization_refused: [
    'The organization may have another number, or you may not be a member of it.',
    'sign_in',
  ],
  not_confirmed: ['Read the organization once, so that the service can confirm that it is yours.', 'again'],
  forged_request: [
    'The server takes requests from its own page alone. A fresh copy of the page may help.',
    'reload',
  ],
  not_found: ['The address may be mistyped, or what was here is gone.', 'home'],
  method_not_allowed: [
    'The page and the server are of different versions. A fresh copy of the page may help.',
    'reload',
  ],
  lower_reading: [
    'The number of a month only rises, so the month was reset, or one of the two is wrong.',
    'again',
  ],
  evidence_changed: ['What was observed has changed since the page was loaded.', 'reload'],
  too_large: ['What was entered is too long to be right.', 'reload'],
  unsupported_media_type: [
    'The page and the server are of different versions. A fresh copy of the page may help.',
    'reload',
  ],
  costs_a_request: [
    'No copy is stored, so only the service can answer. The price is on the button.',
    'again',
  ],
  rate_limited: ['The count starts again within a minute. The button comes back by itself.', 'wait'],
  month_suspected: ['It may be a false alarm: you may try once more, which may use one request.', 'wait'],
  limit_unknown: ['To be safe, nothing is sent for a minute. The button comes back by itself.', 'wait'],
  too_many_streams: ['Close some of the pages of Plimsoll that are open in this browser.', 'again'],
  too_many_attempts: [
    'Too many sign-ins were tried from the same network address within minutes. Nothing was sent to the service.',
    'again',
  ],
  unknown: ['This is an error of Plimsoll, and it is in the log.', 'again'],
  client_rejected: [
    'The application is not registered as it is set up here. Only the operator of Plimsoll can correct that.',
    'again',
  ],
  upstream_down: ['The request did not arrive, or no answer came. Try again in a while.', 'again'],
  upstream_failed: ['The request arrived, and the service failed at it. Try again in a while.', 'again'],
  unexpected_reply: ['The answer makes no sense to Plimsoll, so it is not shown.', 'again'],
  refresh_failed: [
    'You stay signed in, and nothing was used up. The request can be sent in half a minute at the latest.',
    'again',
  ],
  store_unavailable: ['Nothing is sent while it cannot be written down. Try again in a while.', 'again'],
  bff_unreachable: [
    'Your connection may be down, or the server is. What is on the page stays as it was.',
    'again',
  ],
  upstream_timeout: ['The request may have arrived, so it may count. Try again in a while.', 'again'],
}

interface Action {
  label: string
  run: () => void
}

interface Actions {
  again?: Action
  sign_in?: Action
}

/** @param actions what the steps do here; a step that is not among them leads to the start page */
export function Notice({ problem, actions }: { problem: Problem; actions?: Actions }) {
  const [message, step] = ADVICE[problem.code]
  const action = actionFor(step, actions)
  return (
    <section className={styles.notice} role="alert">
      <h2>{PROBLEMS[problem.code].title}</h2>
      <p>{message}</p>
      {problem.detail && <p>{problem.detail}</p>}
      {problem.code === 'too_many_attempts' && problem.retryInMs !== undefined && (
        <p>You can try again in {spanWords(problem.retryInMs)}.</p>
      )}
      {problem.reasons.length > 0 && (
        <p className={styles.quiet}>
          {text().reason.whyWeThinkSo(problem.reasons.map(reasonWords).join(' '))}
        </p>
      )}
      {action && (
        <button type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
      {problem.supportId && (
        <p className={styles.quiet}>
          Support id <code>{problem.supportId}</code>
        </p>
      )}
    </section>
  )
}

function actionFor(step: Step, actions: Actions | undefined): Action | undefined {
  if (step === 'wait') return undefined
  if (step === 'reload') return { label: 'Reload', run: () => location.reload() }
  const named = step === 'home' ? undefined : actions?.[step]
  return named ?? { label: 'Go to the start page', run: () => navigate('/') }
}
