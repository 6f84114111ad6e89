/** Refreshes tokens: one refresh at a time over all processes, and no rotated token is lost (5.4.3). */
import { SECOND_MS } from '../../contract/duration.ts'
import { Problem } from '../../contract/problem.ts'
import { bestEffort, type Context, type Tokens } from '../core/context.ts'
import { type Lease, type SharedLease, withLease } from '../core/lease.ts'
import { describe } from '../core/problem.ts'
import {
  assertNoBackOff,
  changeRefreshNote,
  type RefreshNote,
  refreshName,
  refreshProblem,
  withFailure,
  isReplaced,
  readState,
  type RefreshState,
} from './refresh-state.ts'
import { saveTokens } from './refreshed-tokens.ts'
import { endGrant } from '../session/grant.ts'
import { type LoadedSession, limitOwner, type OAuthCredential, tokenOf } from '../session/record.ts'
import { senderOf } from '../session/sender.ts'
import { type RefreshCost, refreshTokens } from './token.ts'
import { assertNoTokenPause } from './pause.ts'

const POLL_MS = 50
/** A refresh waits this long for the refresh of another process, which takes less. */
const LONGEST_WAIT_MS = 75 * SECOND_MS
/** The process whose lease was taken over may still run. If it has tokens, it stores them in this time. */
const GRACE_MS = 2 * SECOND_MS

/**
 * Gets new tokens, or waits for another process that gets them and shares its result.
 * @throws Problem `signed_out`, `access_withdrawn`, `refresh_failed`, `client_rejected`, `credential_refused`
 *   (no answer made sense for an hour), `store_unavailable`, `upstream_timeout` (another process takes too
 *   long)
 */
export async function replaceTokens(
  context: Context,
  session: LoadedSession,
  cost?: RefreshCost,
): Promise<OAuthCredential> {
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += POLL_MS) {
    const { credential, note, need, session: holder } = await readState(context, session)
    if (need === 'none') return credential
    await assertMayTry(context, note)
    const renewed = await withLease(context, refreshName(holder), (lease) =>
      replaceAlone(context, { session, holder }, lease, cost),
    )
    if (renewed !== undefined) return renewed
    await context.wait(POLL_MS)
  }
  throw new Problem('upstream_timeout', { retryInMs: POLL_MS })
}

async function assertMayTry(context: Context, note: RefreshNote): Promise<void> {
  assertNoBackOff(context, note)
  try {
    await assertNoTokenPause(context, 'token.refresh')
  } catch (error) {
    if (!(error instanceof Problem) || error.retryInMs === undefined) throw error
    throw new Problem('refresh_failed', { retryInMs: error.retryInMs, cause: error })
  }
}

async function replaceAlone(
  context: Context,
  { session, holder }: Record<'session' | 'holder', LoadedSession>,
  lease: SharedLease,
  cost?: RefreshCost,
): Promise<OAuthCredential | undefined> {
  let state = await readState(context, session)
  // The session was paired before this process had the lease, which is now that of another entry.
  if (state.session.id !== holder.id) return undefined
  const { mark: earlier } = state.note
  const isTakenOver = earlier !== undefined && context.now() - earlier.startedAtMs < LONGEST_WAIT_MS
  if (isTakenOver) state = await waitForHolder(context, state)
  if (state.need === 'none') return state.credential
  await assertMayTry(context, state.note)
  const { credential } = state
  const mark = { fence: lease.fence, startedAtMs: context.now() }
  await changeRefreshNote(context, state.session, tokenOf(credential), (known) => ({ ...known, mark }))
  let tokens: Tokens
  try {
    // The session of the press, which may share the grant of the state.
    const owner = { organization: limitOwner(state.session).organization, owner: senderOf(session) }
    tokens = await refreshTokens(context, credential.tokens.refreshToken, owner, cost)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return afterFailure(context, state, lease, { problem: error, isTakenOver, cost })
  }
  context.measure({ what: 'refresh', outcome: 'renewed' })
  const saved = await saveTokens(context, state.session, { replaced: credential, tokens }, lease)
  await bestEffort(
    changeRefreshNote(context, state.session, tokenOf(credential), (known) =>
      isOurs(known, lease) ? undefined : known,
    ),
  )
  return saved
}

/** Waits until the process whose lease was taken over has stored its tokens, or time is up. */
async function waitForHolder(context: Context, state: RefreshState): Promise<RefreshState> {
  let current = state
  for (let waitedMs = 0; waitedMs < GRACE_MS && !isReplaced(current, state); waitedMs += POLL_MS) {
    await context.wait(POLL_MS)
    current = await readState(context, state.session)
  }
  return current
}

const isOurs = ({ mark }: RefreshNote, { fence }: Lease) => mark?.fence === fence

/** Another process has replaced the tokens, or the grant has ended, or the refresh is tried again later. */
async function afterFailure(
  context: Context,
  state: RefreshState,
  lease: Lease,
  { problem, isTakenOver, cost }: { problem: Problem; isTakenOver: boolean; cost: RefreshCost | undefined },
): Promise<OAuthCredential> {
  const isEnd = problem.code === 'access_withdrawn'
  const current =
    isEnd && isTakenOver ? await waitForHolder(context, state) : await readState(context, state.session)
  if (isReplaced(current, state)) {
    context.measure({ what: 'refresh', outcome: 'replaced' })
    return current.credential
  }
  if (!isEnd) throw await recordFailure(context, state, lease, problem)
  // We lost the lease: use the result of the process that holds it.
  if (!(await lease.isHeld())) return replaceTokens(context, state.session, cost)
  return endWithdrawn(context, state)
}

async function endWithdrawn(context: Context, { session, credential }: RefreshState): Promise<never> {
  const code = 'access_withdrawn'
  await bestEffort(changeRefreshNote(context, session, tokenOf(credential), (known) => ({ ...known, code })))
  await endGrant(context, session)
  context.measure({ what: 'refresh', outcome: 'withdrawn' })
  context.log({ level: 'info', event: 'session_ended', code })
  throw new Problem(code)
}

/** Stores the failure and the time of the next try, unless a later holder of the lease wrote a note. */
async function recordFailure(
  context: Context,
  { session, credential, note }: RefreshState,
  lease: Lease,
  problem: Problem,
): Promise<Problem> {
  const { code, cause } = problem
  const isSent = code !== 'store_unavailable'
  context.measure({ what: 'refresh', outcome: code === 'client_rejected' ? 'rejected' : 'failed' })
  const failed = withFailure(context, note, problem)
  await bestEffort(
    changeRefreshNote(context, session, tokenOf(credential), (known) => {
      if (!isOurs(known, lease)) return known
      const { mark: _, ...rest } = known
      return isSent ? { ...failed, isRefused: known.isRefused } : rest
    }),
  )
  if (!isSent) return problem
  const level = code === 'client_rejected' ? 'error' : 'warn'
  const described = cause === undefined ? {} : { cause: describe(cause) }
  context.log({ level, event: 'problem', kind: 'token.refresh', code, ...described })
  return refreshProblem(context, failed, problem)
}
