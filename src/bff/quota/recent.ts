/** The last requests of an organization, as people see them: a sign-in is one, and so is a read. */
import { isSuccess } from '../../contract/answer-meaning.ts'
import { MINUTE_MS } from '../../contract/duration.ts'
import type { RecentRequest } from '../../contract/quota.ts'
import type { LedgerRow } from '../../store/store.ts'
import type { Context } from '../core/context.ts'
import { personIn } from '../session/record.ts'

const MOST_SHOWN = 3
/** Each of them may have a request to the token endpoint beside it, and some rows were never sent. */
const MOST_ROWS = 8

export interface RecentEntry extends Pick<RecentRequest, 'id' | 'kind' | 'failed'> {
  atMs: number
  owner: string | undefined
}

interface Recent {
  entries: readonly RecentEntry[]
  /** The token of the newest request; empty if it is not known. */
  token: string
}

/** At most three entries, newest first, and the token that was used last. */
export async function readRecent({ store }: Pick<Context, 'store'>, organization: string): Promise<Recent> {
  const rows = (await store.listEntries(organization, { sinceMs: 0, most: MOST_ROWS })) ?? []
  const token = rows.find((row) => row.token !== undefined)?.token ?? ''
  return { entries: entriesOf(rows), token }
}

const entriesOf = (rows: readonly LedgerRow[]): RecentEntry[] =>
  rows
    .filter((row) => row.outcome !== 'void' && !isPartOfAnother(row, rows))
    .slice(0, MOST_SHOWN)
    .map((row) => ({
      id: row.id,
      owner: row.owner,
      atMs: row.atMs,
      kind: kindOf(row),
      failed: hasFailed(row.status === 401 ? (secondOf(row, rows) ?? row) : row),
    }))

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
  outcome === 'uncertain' || (outcome === 'settled' && !isSuccess(status))

const isNear = (first: LedgerRow, later: LedgerRow): boolean =>
  first.owner === later.owner && later.atMs >= first.atMs && later.atMs - first.atMs < MINUTE_MS

/** After a refusal of the token the read is sent once more. */
const secondOf = (first: LedgerRow, rows: readonly LedgerRow[]): LedgerRow | undefined =>
  rows.find((row) => isSecondRead(row) && isNear(first, row))

const isSecondRead = ({ kind, initiator }: LedgerRow) => initiator === 'call' && kind !== 'token.refresh'

/** The read of a sign-in belongs to its exchange, and a refresh to the read that needed it. */
function isPartOfAnother(row: LedgerRow, rows: readonly LedgerRow[]): boolean {
  const { kind, initiator, outcome } = row
  if (kind === 'token.code' || initiator === 'person') return false
  if (initiator === 'sign_in') return rows.some((other) => other.kind === 'token.code' && isNear(other, row))
  return (
    isSecondRead(row) ||
    outcome === 'reserved' ||
    rows.some((other) => other.initiator === 'person' && (isNear(row, other) || isNear(other, row)))
  )
}
