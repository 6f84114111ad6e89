// The parts that `npm run mutate` changes, and the tests that have to notice.

/** A part of src that is mutated and tested on its own; paths start at the root of the repository. */
export interface Part {
  name: string
  /** Its files without JSX are mutated, also those in folders inside it. */
  folder: string
  tests: string[]
  environment: 'node' | 'happy-dom'
  setupFiles: string[]
  /** The time limit of each of the nearest tests; 20,000 by default. */
  nearestMs?: number
  /**
   * The lowest scores of the part and of each file, in per cent; survivors must be in equivalent.json. Absent
   * if the part is only reported.
   */
  atLeast?: { part: number; file: number }
}

const SEED = 'tools/mutation/_seed.ts'
const atLeast = { part: 95, file: 90 }

export const PARTS: readonly Part[] = [
  {
    name: 'contract',
    folder: 'src/contract',
    tests: ['test/contract/**/*.test.ts'],
    environment: 'node',
    setupFiles: [SEED],
    atLeast,
  },
  {
    name: 'bff',
    folder: 'src/bff',
    tests: ['test/bff/**/*.test.ts'],
    environment: 'node',
    setupFiles: [SEED],
    atLeast,
  },
  {
    name: 'store',
    folder: 'src/store',
    tests: ['test/store/**/*.test.ts'],
    // They wait for locks, and start Redis.
    nearestMs: 30_000,
    environment: 'node',
    setupFiles: [SEED],
    atLeast,
  },
  {
    name: 'web',
    folder: 'src/web',
    tests: ['test/web/**/*.test.{ts,tsx}'],
    environment: 'happy-dom',
    setupFiles: [SEED, 'test/web/_setup.ts'],
  },
  {
    name: 'limits',
    folder: 'src/sandbox/limits',
    tests: ['test/sandbox/limits/**/*.test.{ts,tsx}'],
    environment: 'node',
    setupFiles: [SEED],
  },
]
