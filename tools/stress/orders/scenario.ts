// The events of one order, drawn by fast-check.
import * as fc from 'fast-check'
import { PATHS } from '../people.ts'

const MODES = [
  /** The access token has expired. */
  'expired',
  /** It is about to expire. */
  'expiring',
  /** The service refuses it, although it has not expired. */
  'refused',
  /** A process that refreshes loses its lease, and the other one takes it over. */
  'lease lost',
  /** A process stands still for longer than its leases last. */
  'frozen',
  /** A process dies. */
  'death',
] as const
type Mode = (typeof MODES)[number]

const ROTATIONS = [
  'new_old_revoked',
  'same',
  'new_old_valid',
  'new_old_valid_30_seconds',
  'new_old_valid_until_new_used',
] as const
/** Two requests with one refresh token are both answered with tokens. */
const LENIENT = ['same', 'new_old_valid', 'new_old_valid_until_new_used'] as const
const REUSES = ['refused', 'refused_family_revoked', 'accepted'] as const
/** Only a family that is not revoked survives a second request that no client can avoid. */
const MILD_REUSES = ['refused', 'accepted'] as const

export const FROZEN_MS = 20_000

const process = fc.constantFrom(0, 1)

function scenarioOf(mode: Mode) {
  const isTakenOver = mode === 'frozen' || mode === 'lease lost'
  return fc
    .record({
      mode: fc.constant(mode),
      choices: fc.record({
        rotation: fc.constantFrom(...(mode === 'frozen' ? LENIENT : ROTATIONS)),
        reuse: fc.constantFrom(...(isTakenOver ? MILD_REUSES : REUSES)),
        oldaccess: fc.constantFrom('until_expiry' as const, 'revoked' as const),
      }),
      /** An answer of the service is on its way for this long. */
      tokenMs: fc.constantFrom(0, 300, 300, mode === 'lease lost' ? 3000 : 5000),
      readMs: fc.constantFrom(0, 20, 200),
      sharedForMs: fc.constantFrom(0, 1000),
      stallMs: isTakenOver ? fc.constant(0) : fc.constantFrom(200, 1000, 2000),
      /** The process that is hit, and the step before which it is. */
      hit: fc.record({ process, atStep: fc.nat(150) }),
    })
    .chain((drawn) => fc.record({ ...all(drawn), readers: readersOf(drawn.tokenMs + drawn.readMs) }))
}

const all = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.constant(value)])) as {
    [Name in keyof T]: fc.Arbitrary<T[Name]>
  }

/** Three in each process and two in any; some begin just when the answers to others have come. */
const readersOf = (answerMs: number) =>
  fc.tuple(...[0, 0, 0, 1, 1, 1, undefined, undefined].map((at) => readerOf(at, answerMs)))

const readerOf = (at: number | undefined, answerMs: number) =>
  fc.record({
    process: at === undefined ? process : fc.constant(at),
    path: fc.constantFrom(...PATHS),
    afterMs: fc.oneof(
      fc.constant(0),
      fc.constant(0),
      fc.nat(400),
      fc.nat(100).map((ms) => answerMs + ms),
    ),
  })

// The modes in which a process waits for a lease to lapse take longest, so they are drawn less often.
const anyScenario = fc.constantFrom(...MODES.slice(0, 3), ...MODES).chain(scenarioOf)
export type Scenario = ReturnType<typeof scenarioOf> extends fc.Arbitrary<infer One> ? One : never
export type Reader = Scenario['readers'][number]

/** A seed always draws the same scenario, and the same scheduler of its steps. */
export function drawOrder(seed: number): { scenario: Scenario; scheduler: fc.Scheduler } {
  const [drawn] = fc.sample(fc.record({ scenario: anyScenario, scheduler: fc.scheduler() }), {
    seed,
    numRuns: 1,
  })
  if (drawn === undefined) throw new Error('nothing was drawn')
  return drawn
}
