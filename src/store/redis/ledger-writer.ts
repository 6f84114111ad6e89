/** Writes requests and outcomes. Calls for one organization that arrive during a batch form the next one. */
import { setImmediate as nextIteration } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type Batch, readingOnWire, type Reservation, stateOf, takeBatch, type Waiting } from './batch.ts'
import {
  addRecorded,
  type Admitted,
  type BatchAnswer,
  decideAgain,
  endSettling,
  ledgerIn,
  ownIn,
  type Recorded,
} from './batch-answer.ts'
import { BATCH } from './scripts/batch.ts'
import { LEDGER_SCRIPTS } from './scripts/ledger.ts'
import type { Connection } from './connection.ts'
import type { Cache } from './cache.ts'
import type { Admission, AdmissionState, LedgerEntry, Settlement } from '../store.ts'

/** Recently recorded requests that are remembered. */
const MOST_OPEN = 10_000

export class LedgerWriter {
  readonly #run: Connection['run']
  readonly #cache: Cache
  /** The organizations that have a batch, and what waits for the next one. */
  readonly #running = new Map<string, { waiting: Waiting; ended: Promise<void> }>()
  readonly #open = new LRUCache<string, Pick<LedgerEntry, 'organization' | 'kind' | 'atMs'>>({
    max: MOST_OPEN,
  })

  constructor({ run }: Pick<Connection, 'run'>, cache: Cache) {
    this.#run = run
    this.#cache = cache
  }

  /** Records a request, if it is admitted. @throws what `decide` throws */
  async reserve(entry: LedgerEntry, admission?: Admission): Promise<void> {
    if (admission !== undefined)
      return this.#wait(entry.organization, ({ reservations }, ends) => {
        reservations.push({ entry, admission, tries: 0, ...ends })
      })
    this.#recorded(entry, (await this.#run(LEDGER_SCRIPTS.reserve, JSON.stringify(entry))) as Recorded)
  }

  settle(id: string, settlement: Settlement, atMs: number): Promise<void> {
    const request = this.#open.get(id)
    return this.#wait(request?.organization ?? '', ({ settlements }, ends) => {
      settlements.push({ id, settlement, atMs, request, ...ends })
    })
  }

  async readAdmissionState(organization: string, asked: Omit<Admission, 'decide'>): Promise<AdmissionState> {
    const sincesMs = asked.countedSinceMs
    for (let state = this.#cache.latest(organization, sincesMs)?.state; ; state = undefined) {
      const answer = (await this.#run(BATCH, readingOnWire(organization, asked, state))) as BatchAnswer
      const own = ownIn(answer[1][0], answer[3])
      const ledger = ledgerIn(this.#cache, organization, sincesMs, answer)
      if (ledger !== undefined) return stateOf(this.#cache, asked, ledger, own)
    }
  }

  /** Resolves when nothing waits. */
  async finish(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  #wait(
    organization: string,
    add: (waiting: Waiting, ends: Pick<Reservation, 'resolve' | 'reject'>) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const { waiting } = this.#running.get(organization) ?? this.#start(organization)
      add(waiting, { resolve, reject })
    })
  }

  #start(organization: string): { waiting: Waiting } {
    const waiting: Waiting = { reservations: [], settlements: [] }
    // Calls of the same event-loop iteration are written together.
    const ended = nextIteration().then(() => this.#writeAll(organization, waiting))
    this.#running.set(organization, { waiting, ended })
    return { waiting }
  }

  async #writeAll(organization: string, waiting: Waiting): Promise<void> {
    while (waiting.reservations.length + waiting.settlements.length > 0) {
      const batch = takeBatch(this.#cache, organization, waiting)
      try {
        this.#end(organization, waiting, batch, (await this.#run(BATCH, batch.wire)) as BatchAnswer)
      } catch (error) {
        for (const { reject } of [...batch.settlements, ...batch.admissions.map((one) => one.reservation)])
          reject(error)
      }
    }
    this.#running.delete(organization)
  }

  #end(
    organization: string,
    waiting: Waiting,
    { settlements, admissions, sincesMs }: Batch,
    answer: BatchAnswer,
  ): void {
    const [settled, admitted, state, newest] = answer
    // In the order of writing, since each has the state of the ledger before and after it.
    for (const [nth, one] of settlements.entries()) endSettling(this.#cache, one, settled[nth] ?? null)
    const unrecorded = admissions
      .map((one, nth) => [one, admitted[nth]] as const)
      .filter(([{ reservation }, one]) => !this.#isRecorded(reservation, one))
    const ledger = ledgerIn(this.#cache, organization, sincesMs, answer)
    waiting.read = ledger && { ledger, state, sincesMs }
    const left = unrecorded.filter(([{ reservation, decision }, one]) => {
      try {
        decideAgain(this.#cache, { reservation, decision }, ownIn(one, newest), waiting.read)
        return true
      } catch (error) {
        reservation.reject(error)
        return false
      }
    })
    waiting.reservations.unshift(...left.map(([{ reservation }]) => reservation))
  }

  #isRecorded({ entry, resolve }: Reservation, admitted: Admitted | undefined): boolean {
    if (admitted?.[0] !== 1) return false
    this.#recorded(entry, admitted[1])
    resolve()
    return true
  }

  #recorded(entry: LedgerEntry, recorded: Recorded): void {
    const [organization] = recorded
    addRecorded(this.#cache, entry, recorded)
    this.#open.set(entry.id, { organization, kind: entry.kind, atMs: entry.atMs })
  }
}
