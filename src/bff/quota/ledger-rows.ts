import { correctedMs, spansBefore } from '../../contract/clock-correction.ts'
import type { LedgerRow } from '../../store/store.ts'
import { correctionsOf } from '../core/clock.ts'
import type { Context } from '../core/context.ts'
import { nextIteration } from '../core/event-loop.ts'

/** Reading them takes a millisecond or two, and other requests are answered before the next ones. */
const ROWS_AT_A_TIME = 250

/** The requests that were sent from an instant on, as known today, some at a time. */
export async function* rowsSentSince({ store, memory }: Context, organization: string, sinceMs: number) {
  const corrections = correctionsOf(memory)
  for (const span of [{ sinceMs }, ...spansBefore(sinceMs, corrections)]) {
    let rows: LedgerRow[] = []
    do {
      const last = rows.at(-1)
      const from = last === undefined ? {} : { before: last.id }
      rows = (await store.listEntries(organization, { ...span, ...from, most: ROWS_AT_A_TIME })) ?? []
      yield rows.filter(({ atMs }) => correctedMs(atMs, corrections) >= sinceMs)
      await nextIteration()
    } while (rows.length === ROWS_AT_A_TIME)
  }
}
