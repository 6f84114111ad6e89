// The rules that must hold after every fault.
import { BUSINESS, SECRET } from '../../test/kit/config.ts'
import { leasesBeyond, readLedger } from './database.ts'
import type { Setup } from './harness.ts'
import type { Recovery } from './people.ts'
import type { Report } from './report.ts'

/**
 * Returns a sentence for each rule that a setup breaks.
 * @param others requests that other clients sent
 * @param nowMs the time by the clock that is furthest ahead
 */
export async function violations(
  { service, database, apps }: Setup,
  { others = 0, nowMs = Date.now() } = {},
): Promise<string[]> {
  const { low, high, unproven } = await readLedger(database, BUSINESS)
  const counted = service.monthOf(BUSINESS) - others
  const leases = await leasesBeyond(database, nowMs)
  const left = [await database.text(), ...apps.map((app) => app.output())]
  const told = [SECRET, ...service.secrets].filter((secret) => left.some((text) => text.includes(secret)))
  return [
    ...(low <= counted && counted <= high + unproven
      ? []
      : [`the service counted ${counted}, the ledger ${low} to ${high} and ${unproven} unproven`]),
    ...(leases === 0 ? [] : [`${leases} leases lapse later than any may`]),
    ...(told.length === 0 ? [] : [`${told.length} secrets are in the database or in a log`]),
    ...(await damage(database)),
  ]
}

/** SQLite examines its file; PostgreSQL examines each page as it reads it. */
async function damage({ url, rows }: Setup['database']): Promise<string[]> {
  if (!url.startsWith('sqlite:')) return []
  const [row] = await rows<{ quick_check: string }>('PRAGMA quick_check')
  return row?.quick_check === 'ok' ? [] : [`the database is damaged: ${row?.quick_check}`]
}

/** Counts what came of each fault, and keeps the evidence of what must not. */
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

  /** Does `work`, and counts an error as an outcome that must not occur. */
  async of(seen: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.wrong('failed', `${seen}: ${String(error)}`)
    }
  }

  /** The session may have ended only if the answer to a refresh was lost. */
  recovered({ as, answers }: Recovery, isLost: boolean, seen: string): void {
    if (as === 'works') this.add('works')
    else if (as === 'signed out' && isLost) this.add('answer lost, one clean sign-in')
    else this.wrong(as === 'stuck' ? 'stuck' : 'token lost', `${seen}: ${answers.join(', ')}`)
  }

  async check(setup: Setup, seen: string, others = 0): Promise<void> {
    for (const violation of await violations(setup, { others }))
      this.wrong('does not hold', `${seen}: ${violation}`)
  }

  /** Writes the counts. Stuck sessions, lost tokens and the outcomes in `never` have to be 0. */
  write(report: Report, what: string, never: readonly string[] = []): void {
    const forbidden = ['stuck', 'token lost', 'does not hold', 'failed', ...never]
    const zeros = Object.fromEntries(forbidden.map((name) => [name, 0]))
    report.counts(what, { ...zeros, ...Object.fromEntries(this.#counts) }, zeros)
    for (const note of this.#notes.slice(0, 40)) report.line(`  ${note}`)
  }
}
