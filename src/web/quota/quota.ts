/** Keeps the quota that the page shows: the newest snapshot, and this page's own answers since. */
import { asProblem } from '../../contract/problem.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { ReportedAnswer, withAnswers } from '../../contract/quota-fold.ts'
import { late } from '../lib/late.ts'
import { onServer } from '../lib/clock.ts'
import { type ReceivedQuota, useUi } from '../lib/ui.ts'

let asked = 0
let applied = 0
/** The newest snapshot from the server. */
let received: ReceivedQuota | undefined
/** Reports of this page's own answers, which the snapshot may lack. */
let answers: readonly ReportedAnswer[] = []
/** Set with the first answer, because the sign-in page does not need it. */
let add: typeof withAnswers = ({ snapshot }) => snapshot
/** Every snapshot that comes this much later contains the report of an answer. */
const ANSWER_LASTS_MS = 5000

/** If answers overtake each other, the one that was asked for last counts. */
export async function readQuota(): Promise<void> {
  const order = ++asked
  try {
    const { getQuota } = await late(import('./queries.ts'))
    const snapshot = await getQuota()
    if (order < applied) return
    applied = order
    applySnapshot(snapshot)
  } catch (error) {
    if (order >= applied) useUi.setState({ quotaProblem: asProblem(error) })
  }
}

/** Adds the reports of this page's own answers. Does nothing if the page shows a newer snapshot. */
export function applySnapshot(snapshot: QuotaSnapshot): void {
  if (received !== undefined && snapshot.version < received.snapshot.version) return
  const { read } = snapshot
  const { drifted, sending } = useUi.getState()
  const atMs = performance.now()
  // The page counts its own requests while they run; the server learns of them later.
  const others = { ...snapshot, read: { ...read, in_flight: Math.max(0, read.in_flight - sending) } }
  received = { snapshot: others, atMs, wallMs: onServer(Date.now()) }
  answers = drifted ? [] : answers.filter((answer) => atMs - answer.atMs < ANSWER_LASTS_MS)
  show()
  useUi.setState({ quotaProblem: undefined, drifted: false })
}

/** @param fold adds the answer to the snapshot */
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

/** performance.now() may stop in sleep. Until the next answer the page says that its countdowns are late. */
export function noticeSleep(): void {
  if (received === undefined) return
  const wallMs = onServer(Date.now()) - received.wallMs
  const steadyMs = performance.now() - received.atMs
  if (Math.abs(wallMs - steadyMs) > 2000) useUi.setState({ drifted: true })
}
