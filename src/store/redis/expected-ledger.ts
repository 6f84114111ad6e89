/** The ledger of an organization as it will be when the current batch is written. */
import { isSuccess } from '../../contract/answer-meaning.ts'
import type { KindCount } from '../../contract/month.ts'
import type { AdmissionState, LedgerEntry, Settlement } from '../store.ts'

/** The part of an AdmissionState that is unchanged while the state of the ledger is. */
export type CountedLedger = Pick<AdmissionState, 'counts' | 'sinceReading'>

/** Requests of the reading's millisecond were recorded before the number was read. */
export const justAfter = ({ readAtMs }: { readAtMs: number }): number => readAtMs + 1

type SentRequest = Pick<LedgerEntry, 'kind' | 'atMs'>

export class ExpectedLedger implements CountedLedger {
  readonly counts: KindCount[][]
  isChanged = false
  /** Time of the newest request of the batch, without those to the token endpoint. */
  newestAtMs: number | undefined
  readonly sinceReading:
    | { reading: NonNullable<CountedLedger['sinceReading']>['reading']; counts: KindCount[] }
    | undefined
  readonly #parts: readonly (readonly [sinceMs: number, counts: KindCount[]])[]

  /** @param sincesMs the instants of the counts */
  constructor({ counts, sinceReading }: CountedLedger, sincesMs: readonly number[]) {
    this.counts = counts.map((part) => [...part])
    this.sinceReading = sinceReading && { ...sinceReading, counts: [...sinceReading.counts] }
    this.#parts = [
      ...this.counts.map((part, nth) => [sincesMs[nth] as number, part] as const),
      ...(this.sinceReading
        ? [[justAfter(this.sinceReading.reading), this.sinceReading.counts] as const]
        : []),
    ]
  }

  reserve({ kind, atMs }: SentRequest): void {
    if (!kind.startsWith('token.')) this.newestAtMs = Math.max(atMs, this.newestAtMs ?? -Infinity)
    this.#add(atMs, { kind, outcome: 'reserved', succeeded: false, count: 1 })
  }

  settle({ kind, atMs }: SentRequest, { outcome, status }: Settlement): void {
    this.#add(atMs, { kind, outcome: 'reserved', succeeded: false, count: -1 })
    this.#add(atMs, { kind, outcome, succeeded: status !== undefined && isSuccess(status), count: 1 })
  }

  #add(atMs: number, added: KindCount): void {
    this.isChanged = true
    for (const [sinceMs, counts] of this.#parts) {
      if (atMs < sinceMs) continue
      const at = counts.findIndex(
        ({ kind, outcome, succeeded }) =>
          kind === added.kind && outcome === added.outcome && succeeded === added.succeeded,
      )
      const count = (counts[at]?.count ?? 0) + added.count
      counts.splice(at < 0 ? counts.length : at, 1, { ...added, count })
    }
  }
}
