// What `npm run mutate` changes, and which tests have to notice.

/** A part of src that is mutated and tested on its own; paths are from the root of the repository. */
export interface Part {
  name: string
  /** Its files without JSX are mutated, those of folders inside included. */
  folder: string
  tests: string[]
  environment: 'node' | 'happy-dom'
  setupFiles: string[]
  /** How long each of the nearest tests may take, in milliseconds; 20,000 where not given. */
  nearestMs?: number
  /** Least score of the part and of each file, in per cent; its survivors have to be in equivalent.json. Absent: reported only. */
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
