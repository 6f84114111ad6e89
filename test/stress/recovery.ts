// What becomes of a session after a fault: it works, or it ends in one clean sign-in, or it is stuck.
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../_fixture.ts'
import { leasesBeyond, quickCheck, readLedger } from './ledger-check.ts'
import { type Person, signIn } from './person.ts'
import type { Setup } from './process.ts'
import type { Report } from './report.ts'

const RECOVERS_MS = 40_000
export const ORGANIZATION_PATH = `/organizations/${BUSINESS}`

export type Recovery = 'works' | 'signed out' | 'stuck'

/**
 * Presses until the session works or is over, 40 s at most. A session that is over has to say so in one answer, after which
 * a new sign-in works.
 */
export async function recover(person: Person): Promise<Recovery> {
  const endsAtMs = Date.now() + RECOVERS_MS
  while (Date.now() < endsAtMs) {
    const { status, body } = await person.browser.spend<{ code?: string; retry_in_ms?: number }>(
      ORGANIZATION_PATH,
    )
    if (status === 200) return 'works'
    if (status === 401) return (await signsInAgain(person, body.code)) ? 'signed out' : 'stuck'
    await wait(Math.min(body.retry_in_ms ?? 1000, 1000))
  }
  return 'stuck'
}

/** Whether an ended session is ended for the page too, and a new sign-in works at once. */
export async function signsInAgain(person: Person, code: string | undefined): Promise<boolean> {
  if (code !== 'access_withdrawn' && code !== 'signed_out') return false
  const { body } = await person.browser.session()
  if (body.signed_in) return false
  await signIn(person, BUSINESS)
  const { status } = await person.browser.spend(ORGANIZATION_PATH)
  return status === 200
}

/** What is wrong in the database after a fault: nothing, where all is well. */
export function violations({ service, storePath }: Setup): string[] {
  const { low, high, unproven } = readLedger(storePath, BUSINESS)
  const counted = service.monthOf(BUSINESS)
  const check = quickCheck(storePath)
  const leases = leasesBeyond(storePath, Date.now())
  return [
    ...(low <= counted && counted <= high + unproven
      ? []
      : [`the service counted ${counted}, the ledger ${low} to ${high} and ${unproven} unproven`]),
    ...(leases === 0 ? [] : [`${leases} leases lapse later than any may`]),
    ...(check === 'ok' ? [] : [`the database is damaged: ${check}`]),
  ]
}

/** How the faults of each kind ended. */
export class Outcomes {
  readonly #counts = new Map<string, number>()
  readonly #notes: string[] = []

  add(outcome: string, by = 1): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + by)
  }

  /** An outcome that must not be, with what was seen. */
  wrong(outcome: string, seen: string): void {
    this.add(outcome)
    this.#notes.push(`${outcome}: ${seen}`)
  }

  /** Counts where a session may end: only where the answer to a refresh is lost. */
  recovered(recovery: Recovery, isLost: boolean, seen: string): void {
    if (recovery === 'works') this.add('works')
    else if (recovery === 'signed out' && isLost) this.add('answer lost, one clean sign-in')
    else this.wrong(recovery === 'stuck' ? 'stuck' : 'token lost', seen)
  }

  check(setup: Setup, seen: string): void {
    for (const violation of violations(setup)) this.wrong('database wrong', `${seen}: ${violation}`)
  }

  /** Writes the counts; stuck sessions, lost tokens and what `never` names have to be 0. */
  write(report: Report, what: string, never: readonly string[] = []): void {
    const forbidden = ['stuck', 'token lost', 'database wrong', 'failed', ...never]
    const zeros = Object.fromEntries(forbidden.map((name) => [name, 0]))
    report.counts(what, { ...zeros, ...Object.fromEntries(this.#counts) }, zeros)
    for (const note of this.#notes.slice(0, 40)) report.line(`  ${note}`)
  }
}

/** Works on all items, so many at a time. */
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
