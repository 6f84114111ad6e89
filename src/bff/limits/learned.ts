/** Stores what an answer has taught, in the transaction that records its outcome. */
import { type Answered, isPlainSuccess, type Known, learn, type Learned } from '../../contract/learn.ts'
import {
  laterPause,
  NO_ORGANIZATION_NOTE,
  NO_TOKEN_NOTE,
  type StoredPause,
} from '../../contract/limit-notes.ts'
import { MINUTE_MS } from '../../contract/duration.ts'
import { kindsInReadMinute } from '../../contract/rate-limit.ts'
import { serviceNowMs, type Within } from '../core/context.ts'
import { addReset } from '../evidence/note.ts'
import { type LimitOwner, lockClaimed, UNPROVEN_MS } from '../session/limit-owner.ts'
import { countMonth } from './month.ts'
import { readLimitNotes, readTokenNote, writeOrganizationNote, writeTokenNote } from './note.ts'
import { type Gauge, waitFor, wasUsedUp, windowAt } from '../../contract/gauge.ts'

const NOTHING_KNOWN: Known = { token: NO_TOKEN_NOTE, organization: NO_ORGANIZATION_NOTE }

/** Without the store, the meaning of an answer depends on the answer alone. */
export const learnAlone = (answer: Answered): Learned => learn(NOTHING_KNOWN, answer)

/**
 * The first success of a credential proves it: then the requests of its session count for the organization.
 * What an answer says of a credential that is not proven belongs to its session, and lapses with it.
 */
export async function learnInside(context: Within, owner: LimitOwner, answer: Answered): Promise<Learned> {
  const { token, claimed } = owner
  await lockClaimed(context, owner)
  const isPlain = isPlainSuccess(answer)
  const isProof = claimed !== undefined && answer.proof === 'by_success' && isPlain
  if (isProof) await context.store.attribute(owner.organization, claimed, context.now())
  const organization = isProof ? claimed : owner.organization
  const notes = await readLimitNotes(context, { token, organization })
  const counted = isPlain ? undefined : await countFor(context, owner, answer)
  const learned = learn({ ...notes, counted }, answer)
  const lifetimeMs = claimed !== undefined && !isProof ? UNPROVEN_MS : undefined
  await Promise.all([
    learned.token !== notes.token && writeTokenNote(context, token, learned.token, lifetimeMs),
    learned.organization !== notes.organization &&
      writeOrganizationNote(context, organization, learned.organization, lifetimeMs),
  ])
  if (learned.reset !== undefined) await addReset(context, learned.reset)
  return learned
}

async function countFor(
  context: Within,
  { token, organization }: LimitOwner,
  { nowMs, assumed }: Answered,
): Promise<Known['counted']> {
  const [sent, month] = await Promise.all([
    context.store.countSent(token, kindsInReadMinute(), nowMs - MINUTE_MS),
    countMonth(context, organization, nowMs, assumed),
  ])
  return { sent, month }
}

/** While the old token must wait, so must the new one. The windows of the new token stay unseen. */
export async function transferLimits(context: Within, from: string, to: string): Promise<void> {
  const { gauges, pauses } = await readTokenNote(context, from)
  const nowMs = serviceNowMs(context)
  const read = laterPause(pauses.read, usedUpPause(gauges.read, nowMs), nowMs)
  if (read === undefined) return
  // No pause here lasts longer, and the session may be unproven.
  await writeTokenNote(context, to, { ...NO_TOKEN_NOTE, pauses: { read } }, UNPROVEN_MS)
}

function usedUpPause(gauge: Gauge | undefined, nowMs: number): StoredPause | undefined {
  if (!wasUsedUp(gauge)) return undefined
  return {
    code: 'rate_limited',
    reasons: [{ code: 'minute_used_up_before_refresh' }],
    untilMs: nowMs + (waitFor(windowAt(gauge, nowMs), 0) ?? 0),
  }
}
