// The only place that says what `npm run mutate` changes, and which tests have to notice.

/** A part of src that is mutated and tested on its own; paths are globs from the root of the repository. */
export interface Part {
  name: string
  mutate: string[]
  tests: string[]
  environment: 'node' | 'happy-dom'
  setupFiles: string[]
  /** Least score of the part and of each file, in per cent; its survivors have to be in equivalent.json. Absent: reported only. */
  atLeast?: { part: number; file: number }
}

const SEED = 'test/mutation/_seed.ts'
const atLeast = { part: 95, file: 90 }

export const PARTS: readonly Part[] = [
  {
    name: 'contract',
    mutate: ['src/contract/**/*.ts'],
    tests: ['test/contract/**/*.test.ts'],
    environment: 'node',
    setupFiles: [SEED],
    atLeast,
  },
  {
    name: 'bff',
    mutate: ['src/bff/**/*.ts'],
    tests: ['test/bff/**/*.test.ts'],
    environment: 'node',
    setupFiles: [SEED],
    atLeast,
  },
  {
    name: 'store',
    mutate: ['src/store/**/*.ts'],
    tests: ['test/store/**/*.test.ts'],
    environment: 'node',
    setupFiles: [SEED],
    atLeast,
  },
  {
    // The files without JSX: state and calculation, no layout.
    name: 'web',
    mutate: ['src/web/**/*.ts'],
    tests: ['test/web/**/*.test.{ts,tsx}'],
    environment: 'happy-dom',
    setupFiles: [SEED, 'test/web/_setup.ts'],
  },
  {
    name: 'limits',
    mutate: ['src/sandbox/limits/**/*.ts'],
    tests: ['test/sandbox/limits/**/*.test.{ts,tsx}'],
    environment: 'node',
    setupFiles: [SEED],
  },
]
