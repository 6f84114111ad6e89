/** Refreshes tokens: one refresh at a time over all processes, and no rotated token is lost (5.4.3). */
import { SECOND_MS } from '../../contract/duration.ts'
import { isStoreFailure, Problem } from '../../contract/problem.ts'
import type { LedgerEntry } from '../../store/store.ts'
import { type Context, type Tokens, untilStored, type Within } from '../core/context.ts'
import type { RefreshOutcome } from '../core/measurement.ts'
import { isHeld, takeLease } from '../core/note.ts'
import { describe } from '../core/problem.ts'
import { transferLimits } from '../limits/learned.ts'
import { begin, finishOf, type Press } from '../service/request.ts'
import { changeCredential, endGrant, type OAuthCredential, tokenOf } from '../session/grant.ts'
import { type LoadedSession, limitOwner, senderOf } from '../session/record.ts'
import { assertNoTokenPause, noteTokenOutcome } from './pause.ts'
import {
  assertNoBackOff,
  changeRefreshNote,
  type RefreshState,
  readState,
  refreshName,
  refreshProblem,
  withFailure,
} from './refresh-state.ts'
import { REFRESH_DEADLINE_MS, refreshTokens, tokenEntry } from './token.ts'

const POLL_MS = 50
/** A process whose lease has lapsed may still run. If it has tokens, it stores them in this time. */
const GRACE_MS = 2 * SECOND_MS
const RETRY_MS = 500

/**
 * Runs in the transaction that records the refresh, at the time of its row. Refuses the refresh by throwing.
 * @returns `wait` to be asked again a moment later
 */
export type Admission = (inside: Within, atMs: number) => Promise<'wait' | undefined>

interface Refresh {
  state: RefreshState
  press: Press
  /** Another process began to replace the same token, and may have done so. */
  isTakenOver: boolean
}

/**
 * Gets new tokens, or finds those of another process.
 * @param admitted says if the refresh may be sent
 * @returns `wait` a moment later, if it may not be sent yet, or if another process gets new tokens: whoever
 *   still waits then asks again, so that nothing is sent for nobody
 * @throws Problem `signed_out`, `access_withdrawn`, `refresh_failed`, `client_rejected`, `credential_refused`
 *   (no answer made sense for an hour), `store_unavailable`, and the errors of `admitted`
 */
export async function replaceTokens(
  context: Context,
  session: LoadedSession,
  press: Press,
  admitted?: Admission,
): Promise<OAuthCredential | 'wait'> {
  const { organization } = limitOwner(session)
  const entry = tokenEntry('token.refresh', press, { organization, owner: senderOf(session) })
  const begun = await begin(context, entry, (inside, atMs) =>
    // A press that has sent a refresh was admitted with it.
    beginRefresh(inside, session, press, () => (press.refreshes > 0 ? undefined : admitted?.(inside, atMs))),
  )
  if ('row' in begun) return sendRefresh(context, begun, begun.row)
  if (begun.instead instanceof Problem) throw begun.instead
  if (begun.instead === 'wait') await context.wait(POLL_MS)
  return begun.instead
}

async function beginRefresh(
  inside: Within,
  session: LoadedSession,
  press: Press,
  admitted: () => ReturnType<Admission> | undefined,
): Promise<Refresh | { instead: OAuthCredential | Problem | 'wait' }> {
  await inside.store.lock(refreshName(session.grant))
  const [state, [version]] = await Promise.all([
    readState(inside, session),
    inside.store.readSessionVersions([session.id]),
  ])
  // A paired session may still have the grant.
  if (version === undefined) return { instead: new Problem('signed_out') }
  const { credential, note, need } = state
  if (need === 'none') return { instead: credential }
  assertNoBackOff(inside, note)
  await assertNoTokenPause(inside, 'token.refresh')
  const clockMs = await inside.store.readClock(inside.now())
  const isAnothers = note.lease !== undefined && !isOurs(inside, note)
  if (isAnothers && isHeld(note.lease, clockMs, REFRESH_DEADLINE_MS, GRACE_MS)) return { instead: 'wait' }
  if (credential.tokens.refreshToken === undefined) return { instead: await withdraw(inside, state) }
  if ((await admitted()) === 'wait') return { instead: 'wait' }
  await changeRefreshNote(inside, state.grant, tokenOf(credential), (known) => ({
    ...known,
    lease: takeLease(inside.memory.process, clockMs, REFRESH_DEADLINE_MS),
  }))
  return { state, press, isTakenOver: isAnothers }
}

/** How a refresh has ended, and what the grant has from then on. */
interface End {
  outcome: RefreshOutcome
  instead: OAuthCredential | Problem
}

async function sendRefresh(
  context: Context,
  refresh: Refresh,
  row: LedgerEntry,
): Promise<OAuthCredential | 'wait'> {
  const { state, press, isTakenOver } = refresh
  const oldToken = state.credential.tokens.refreshToken ?? ''
  const { answer, tokens } = await refreshTokens(context, row, oldToken, press)
  const problem = tokens instanceof Problem ? tokens : undefined
  if (problem?.code === 'access_withdrawn' && isTakenOver) await waitForHolder(context, state)
  const finish = finishOf(context, row, answer)
  const end: End | 'wait' =
    tokens instanceof Problem
      ? await whenRecorded(context, tokens, () => finish((inside) => noteFailure(inside, refresh, tokens)))
      : await untilSaved(context, () => finish((inside) => saveTokens(inside, refresh, tokens)))
  // We lost the lease: use the result of the process that holds it.
  if (end === 'wait') return end
  context.measure({ what: 'refresh', outcome: end.outcome })
  if (!(end.instead instanceof Problem)) return end.instead
  if (problem !== undefined) logFailure(context, end.outcome, problem)
  throw end.instead
}

/** Tries for half a minute, as for a read. A failure that is not recorded is one all the same. */
async function whenRecorded(
  context: Context,
  problem: Problem,
  record: () => Promise<End | 'wait'>,
): Promise<End | 'wait'> {
  try {
    return await untilStored(context, record)
  } catch (cause) {
    context.log({ level: 'warn', event: 'ledger', cause: describe(cause) })
    return { outcome: 'failed', instead: problem }
  }
}

/**
 * Nobody else has a rotated token, so this goes on until the store can, or the session has ended. Until then
 * the presses of this process wait for this refresh, and those of others for its lease. A stop waits too.
 */
async function untilSaved<T>(context: Context, save: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await save()
    } catch (error) {
      if (!isStoreFailure(error)) throw error
      const cause = describe(error.cause)
      if (tries === 0) context.log({ level: 'error', event: 'problem', code: error.code, cause })
    }
    await context.wait(RETRY_MS)
  }
}

/** Does not overwrite later tokens of another process. */
async function saveTokens(inside: Within, { state, press }: Refresh, tokens: Tokens): Promise<End> {
  await noteTokenOutcome(inside, undefined)
  const outcome = 'renewed'
  const current = await presentState(inside, state)
  if (current instanceof Problem) return { outcome, instead: current }
  const renewed = { ...state.credential, tokens }
  press.isRaced = !isOurs(inside, current.note)
  // It has the new one if the store saved it, and could not say so.
  if (isReplaced(current, state) && tokenOf(current.credential) !== tokenOf(renewed))
    return { outcome, instead: current.credential }
  // A sign-out may have ended the grant a moment ago.
  if (!(await changeCredential(inside, current.grant, renewed)))
    return { outcome, instead: new Problem('signed_out') }
  await changeRefreshNote(inside, current.grant, tokenOf(state.credential), (known) =>
    isOurs(inside, known) ? undefined : known,
  )
  await transferLimits(inside, tokenOf(state.credential), tokenOf(renewed))
  return { outcome, instead: renewed }
}

/** Waits until the process whose lease was taken over has stored its tokens, or time is up. */
async function waitForHolder(context: Context, state: RefreshState): Promise<void> {
  for (let waitedMs = 0; waitedMs < GRACE_MS; waitedMs += POLL_MS) {
    const current = await presentState(context, state)
    if (current instanceof Problem || isReplaced(current, state)) return
    await context.wait(POLL_MS)
  }
}

/** Another process has replaced the tokens, or the grant has ended, or the refresh is tried again later. */
async function noteFailure(inside: Within, { state }: Refresh, problem: Problem): Promise<End | 'wait'> {
  const pauseMs = await noteTokenOutcome(inside, problem)
  const current = await presentState(inside, state)
  if (current instanceof Problem) return { outcome: 'withdrawn', instead: current }
  if (isReplaced(current, state)) return { outcome: 'replaced', instead: current.credential }
  if (problem.code === 'access_withdrawn') {
    if (!isOurs(inside, current.note)) return 'wait'
    return { outcome: 'withdrawn', instead: await withdraw(inside, current) }
  }
  const waiting = new Problem(problem.code, { retryInMs: pauseMs ?? problem.retryInMs, cause: problem.cause })
  const failed = withFailure(inside, state.note, waiting)
  await changeRefreshNote(inside, current.grant, tokenOf(current.credential), (known) =>
    isOurs(inside, known) ? { ...failed, isRefused: known.isRefused } : known,
  )
  const outcome = problem.code === 'client_rejected' ? 'rejected' : 'failed'
  return { outcome, instead: refreshProblem(inside, failed, problem) }
}

/** Ends the grant with all its sessions. */
async function withdraw(inside: Within, { grant, credential }: RefreshState): Promise<Problem> {
  const code = 'access_withdrawn'
  await changeRefreshNote(inside, grant, tokenOf(credential), (known) => ({ ...known, code }))
  await endGrant(inside, grant)
  return new Problem(code)
}

function logFailure(context: Context, outcome: RefreshOutcome, { code, cause }: Problem): void {
  if (outcome === 'withdrawn') return context.log({ level: 'info', event: 'session_ended', code })
  const level = outcome === 'rejected' ? 'error' : 'warn'
  const described = cause === undefined ? {} : { cause: describe(cause) }
  context.log({ level, event: 'problem', kind: 'token.refresh', code, ...described })
}

/** As the store has it now, or why it has none. */
const presentState = (
  context: Within,
  { grant, credential }: RefreshState,
): Promise<RefreshState | Problem> =>
  readState(context, { grant, record: { credential } }).catch((error: unknown) => {
    if (error instanceof Problem && !isStoreFailure(error)) return error
    throw error
  })

const isReplaced = (current: RefreshState, { credential }: RefreshState): boolean =>
  tokenOf(current.credential) !== tokenOf(credential)

/** A process runs one refresh of a grant at a time. After a commit whose answer was lost it has the lease. */
const isOurs = ({ memory }: Within, { lease }: RefreshState['note']): boolean =>
  lease?.holder === memory.process
