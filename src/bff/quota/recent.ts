/** The last requests of an organization, as people see them: a sign-in is one, and so is a read. */
import { isSuccess } from '../../contract/answer-meaning.ts'
import { CLOCK_JUMP_MS } from '../../contract/clock.ts'
import type { RecentRequest } from '../../contract/quota.ts'
import type { LedgerRow } from '../../store/store.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { personIn } from '../session/record.ts'

const MOST_SHOWN = 3
/** A press sends at most four requests: a read and its repetition, and a refresh before each. */
const MOST_ROWS = 4 * MOST_SHOWN

export interface RecentEntry extends Pick<RecentRequest, 'id' | 'kind' | 'failed'> {
  atMs: number
  owner: string | undefined
}

interface Recent {
  entries: readonly RecentEntry[]
  /** The token of the newest request; empty if it is not known. */
  token: string
}

/** At most three entries, newest first, and the token that was used last. None is dated ahead of now. */
export async function readRecent(context: Context, organization: string): Promise<Recent> {
  const untilMs = serviceNowMs(context) + CLOCK_JUMP_MS
  const asked = { sinceMs: 0, untilMs, most: MOST_ROWS }
  const rows = (await context.store.listEntries(organization, asked)) ?? []
  const token = rows.find((row) => row.token !== undefined)?.token ?? ''
  return { entries: entriesOf(rows), token }
}

function entriesOf(rows: readonly LedgerRow[]): RecentEntry[] {
  const presses = [...new Set(rows.map(({ press }) => press))]
  return presses.flatMap((id) => entryOf(rows.filter(({ press }) => press === id))).slice(0, MOST_SHOWN)
}

/**
 * It begins with the first request and ends as the last one, without its refreshes if there are others.
 * @param rows of one press, the newest first
 * @returns nothing for one that sent nothing, or has only begun a refresh
 */
function entryOf(rows: readonly LedgerRow[]): RecentEntry[] {
  const asked = rows.filter(({ kind }) => kind !== 'token.refresh')
  const shown = asked.length > 0 ? asked : rows.filter(({ outcome }) => outcome !== 'reserved')
  const [last, first] = [shown[0], shown.at(-1)]
  if (last === undefined || first === undefined || rows.every(({ outcome }) => outcome === 'void')) return []
  const { id, owner, atMs } = first
  return [{ id, owner, atMs, kind: kindOf(first), failed: hasFailed(last) }]
}

/** @param asking the person who asks @param nowMs the service's time */
export const recentOnWire = (
  entries: readonly RecentEntry[],
  asking: string,
  nowMs: number,
): RecentRequest[] =>
  entries.map(({ owner, atMs, ...entry }) => ({
    ...entry,
    age_ms: Math.max(0, Math.floor(nowMs - atMs)),
    by: personIn(owner) === asking ? 'you' : 'another',
  }))

function kindOf({ kind, initiator }: LedgerRow): RecentRequest['kind'] {
  if (initiator === 'sign_in') return 'sign_in'
  if (kind === 'token.refresh') return 'refresh'
  return kind === 'rate_limit' ? 'check' : 'read'
}

const hasFailed = ({ outcome, status = 0 }: LedgerRow): boolean =>
  outcome !== 'reserved' && !isSuccess(status)
