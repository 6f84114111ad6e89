// The state of a session after a fault: it works, it ends in one clean sign-in, or it is stuck.
import { setTimeout as wait } from 'node:timers/promises'
import { SPENT_HEADER } from '../../src/contract/api.ts'
import { BUSINESS } from '../../test/kit/app.ts'
import { type Person, signIn } from './person.ts'
import type { Setup } from './process.ts'
import type { Report } from './report.ts'

const RECOVERS_MS = 40_000
export const ORGANIZATION_PATH = `/organizations/${BUSINESS}`

export interface Recovery {
  as: 'works' | 'signed out' | 'stuck'
  /** The answer to each press, with the milliseconds since the first press. */
  answers: string[]
}

/**
 * Presses until the session works or has ended, for 40 s at most. One answer has to report the end of a
 * session, and a new sign-in has to work after it.
 */
export async function recover(person: Person): Promise<Recovery> {
  const startedAtMs = Date.now()
  const answers: string[] = []
  const press = async () => {
    const { status, headers, body } = await person.browser.spend<{ code?: string; retry_in_ms?: number }>(
      ORGANIZATION_PATH,
    )
    const isSent = headers.get(SPENT_HEADER) !== '0'
    answers.push(`${Date.now() - startedAtMs} ms: ${status} ${status === 200 ? '' : body.code}`)
    return { status, isSent, ...body }
  }
  while (Date.now() < startedAtMs + RECOVERS_MS) {
    const { status, isSent, code, retry_in_ms: retryInMs = 500 } = await press()
    // An answer that is shared with an earlier press proves nothing.
    if (status === 200 && isSent) return { as: 'works', answers }
    if (code === 'access_withdrawn' || code === 'signed_out') {
      if ((await person.browser.session()).body.signed_in) return { as: 'stuck', answers }
      await signIn(person, BUSINESS)
      return { as: (await press()).status === 200 ? 'signed out' : 'stuck', answers }
    }
    await wait(Math.min(retryInMs, 1000))
  }
  return { as: 'stuck', answers }
}

/** Faults of the database after a fault of the app; empty if all is well. */
export async function violations({ service, database }: Setup): Promise<string[]> {
  const { low, high, unproven } = await database.readLedger(BUSINESS)
  const counted = service.monthOf(BUSINESS)
  const check = await database.check()
  const leases = await database.leasesBeyond(Date.now())
  return [
    ...(low <= counted && counted <= high + unproven
      ? []
      : [`the service counted ${counted}, the ledger ${low} to ${high} and ${unproven} unproven`]),
    ...(leases === 0 ? [] : [`${leases} leases lapse later than any may`]),
    ...(check === 'ok' ? [] : [`the database is damaged: ${check}`]),
  ]
}

export class Outcomes {
  readonly #counts = new Map<string, number>()
  readonly #notes: string[] = []

  add(outcome: string, by = 1): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + by)
  }

  /** Notes an outcome that must not occur, with the evidence. */
  wrong(outcome: string, seen: string): void {
    this.add(outcome)
    this.#notes.push(`${outcome}: ${seen}`)
  }

  /** Counts an end of the session, which is allowed only if the answer to a refresh was lost. */
  recovered({ as, answers }: Recovery, isLost: boolean, seen: string): void {
    if (as === 'works') this.add('works')
    else if (as === 'signed out' && isLost) this.add('answer lost, one clean sign-in')
    else this.wrong(as === 'stuck' ? 'stuck' : 'token lost', `${seen}: ${answers.join(', ')}`)
  }

  async check(setup: Setup, seen: string): Promise<void> {
    for (const violation of await violations(setup)) this.wrong('database wrong', `${seen}: ${violation}`)
  }

  /** Writes the counts. Stuck sessions, lost tokens and the outcomes in `never` have to be 0. */
  write(report: Report, what: string, never: readonly string[] = []): void {
    const forbidden = ['stuck', 'token lost', 'database wrong', 'failed', ...never]
    const zeros = Object.fromEntries(forbidden.map((name) => [name, 0]))
    report.counts(what, { ...zeros, ...Object.fromEntries(this.#counts) }, zeros)
    for (const note of this.#notes.slice(0, 40)) report.line(`  ${note}`)
  }
}

export async function inLanes<T>(
  lanes: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
