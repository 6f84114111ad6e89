// The events of one order, drawn by its seed.
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import type { Pace } from './scheduler.ts'

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

export interface Reader {
  process: 0 | 1
  path: string
  afterMs: number
}

export interface Scenario {
  mode: Mode
  choices: Pick<Choices, 'rotation' | 'reuse' | 'oldaccess'>
  readers: readonly Reader[]
  /** An answer of the service is on its way for this long. */
  tokenMs: number
  readMs: number
  sharedForMs: number
  pace: Pace
  /** The process that is hit, and the step before which. */
  hit: { process: 0 | 1; atStep: number }
}

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

export function drawScenario(chance: () => number, organization: string): Scenario {
  const of = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T
  // The modes in which a process waits for a lease to lapse take longest, so they are drawn less often.
  const mode = of([...MODES.slice(0, 3), ...MODES])
  const paths = [`/organizations/${organization}`, '/organizations', '/rate_limit']
  const tokenMs = of([0, 300, 300, mode === 'lease lost' ? 3000 : 5000])
  const readMs = of([0, 20, 200])
  const readers = [0, 0, 0, 1, 1, 1, of([0, 1]), of([0, 1])].map((process) => ({
    process: process as 0 | 1,
    path: of(paths),
    // Some begin just when the answers to others have come.
    afterMs: of([0, 0, Math.floor(chance() * 400), tokenMs + readMs + Math.floor(chance() * 100)]),
  }))
  const isTakenOver = mode === 'frozen' || mode === 'lease lost'
  return {
    mode,
    choices: {
      rotation: of(mode === 'frozen' ? LENIENT : ROTATIONS),
      reuse: of(isTakenOver ? MILD_REUSES : REUSES),
      oldaccess: of(['until_expiry', 'revoked']),
    },
    readers,
    tokenMs,
    readMs,
    sharedForMs: of([0, 1000]),
    pace: {
      stallMs: isTakenOver ? 0 : of([200, 1000, 2000]),
      burst: of([0, 0.5, 0.9]),
      slow: of([undefined, 0, 1, 0, 1]),
      timePasses: of([0.02, 0.1, 0.2]),
      newIteration: of([0.05, 0.3]),
    },
    hit: { process: of([0, 1]), atStep: Math.floor(chance() * 150) },
  }
}
