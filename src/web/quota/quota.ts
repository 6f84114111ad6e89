/** What is known of the quota: the newest snapshot, which is free to read, and what this page's own answers have reported since. */
import { asProblem } from '../../contract/problem.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { ReportedAnswer, withAnswers } from '../../contract/quota-fold.ts'
import { type ReceivedQuota, useUi } from '../lib/ui.ts'

let asked = 0
let applied = 0
/** The newest snapshot as it came. */
let received: ReceivedQuota | undefined
/** What this page's own answers reported, which the snapshot may not have. */
let answers: readonly ReportedAnswer[] = []
/** Comes with the first answer, since the sign-in page needs none. */
let add: typeof withAnswers = ({ snapshot }) => snapshot
/** What an answer reports is in all snapshots that come so much later. */
const ANSWER_LASTS_MS = 5000

/** Of answers that overtake each other, the one that was asked for last counts. */
export async function readQuota(): Promise<void> {
  const order = ++asked
  try {
    const { getQuota } = await import('./queries.ts')
    const snapshot = await getQuota()
    if (order < applied) return
    applied = order
    applySnapshot(snapshot)
  } catch (error) {
    if (order >= applied) useUi.setState({ quotaProblem: asProblem(error) })
  }
}

/** Shows a snapshot that has just come, unless a newer one is shown, with what this page's own answers have reported since. */
export function applySnapshot(snapshot: QuotaSnapshot): void {
  if (received !== undefined && snapshot.version < received.snapshot.version) return
  const { read } = snapshot
  const { drifted, sending } = useUi.getState()
  const atMs = performance.now()
  // Requests of this page are counted as long as they run, which the server learns later.
  const others = { ...snapshot, read: { ...read, in_flight: Math.max(0, read.in_flight - sending) } }
  received = { snapshot: others, atMs, wallMs: Date.now() }
  answers = drifted ? [] : answers.filter((answer) => atMs - answer.atMs < ANSWER_LASTS_MS)
  show()
  useUi.setState({ quotaProblem: undefined, drifted: false })
}

/** Shows what an answer to this page has just reported. @param fold adds it to the snapshot */
export function addAnswer(answer: ReportedAnswer, fold: typeof withAnswers): void {
  answers = [...answers, answer]
  add = fold
  show()
}

const show = (): void =>
  useUi.setState({ quota: received && { ...received, snapshot: add(received, answers) } })

export function forgetQuota(): void {
  applied = asked + 1
  asked = applied
  received = undefined
  answers = []
  useUi.setState({ quota: undefined, quotaProblem: undefined, drifted: false })
}

/** Most systems stop performance.now() in sleep: then the countdowns are late, and the page shows that until the next answer. */
export function noticeSleep(): void {
  if (received === undefined) return
  const wallMs = Date.now() - received.wallMs
  const steadyMs = performance.now() - received.atMs
  if (Math.abs(wallMs - steadyMs) > 2000) useUi.setState({ drifted: true })
}
