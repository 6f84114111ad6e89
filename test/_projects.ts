// The parts of a test run. Quick tests run first and browsers last, so that failures show early.
import { availableParallelism, totalmem } from 'node:os'
import type { TestProjectConfiguration } from 'vitest/config'
import { IS_WHOLE } from './_extent.ts'
import { firefoxTests } from './firefox/find.ts'
import { MANY_MACHINES, postgresTests } from './postgres/find.ts'
import { findWebKit } from './webkit/find.ts'

export const PARTS = ['unit tests', 'processes and stores', 'browsers'] as const
export type Part = (typeof PARTS)[number]

/** A worker needs a core, and this much memory: for a browser with its app, or for a page with its tree. */
const BYTES_PER_WORKER = 1.5 * 2 ** 30
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
const workersOf = (cores: number): number =>
  Math.max(1, Math.floor(Math.min(cores, memory / BYTES_PER_WORKER)))
/** The tests wait for a third of their time, those in a browser for half of it. */
export const WORKERS = workersOf(availableParallelism() * 1.5)

const JOURNEY = 'test/browser/journey.test.ts'
/** In the whole run alone: what they show of a browser or a server, a cheaper test shows too. */
const WHOLE_RUN = IS_WHOLE ? [] : ['postgres', 'sign-out-https'].map((name) => `test/browser/${name}.test.ts`)
/** Only the whole run has these over PostgreSQL. `npm test` has there the store and the races of machines. */
const OVER_SQLITE = IS_WHOLE ? {} : { env: { STORES: 'SQLite' } }
/** vitest fails a file in which no test runs. */
const OF_POSTGRES = postgresTests().length > 0 ? [] : ['test/store/postgres.test.ts']
/** In the whole run they have the machine to themselves, since they say how long things take. */
const ALONE = IS_WHOLE ? { group: 2, maxWorkers: 1 } : { group: 1 }
/** They run the built app. */
const STRESS = ['stress', 'backup', 'deploy-sqlite', 'pack'].map((name) => `test/${name}.test.ts`)
/** These need a process of their own. */
const LONG = ['proof', 'orders', 'store/faults', 'store/processes'].map((name) => `test/${name}.test.ts`)
const WITH_PROCESSES = ['build', 'deploy', 'fresh-clone', 'operations-files', 'run'].map(
  (name) => `test/${name}.test.ts`,
)
const SETUP = ['test/_fresh-modules.ts', 'test/_setup.ts']
// Without isolation the tests take half of the time, in the simulated browser a quarter: each worker compiles
// an imported file once.
const SHARED = { environment: 'node', setupFiles: SETUP, isolate: false } as const
const IN_BROWSER = { ...SHARED, globalSetup: 'test/browser/_build.ts' } as const
const BROWSERS = { part: 'browsers', group: 3, maxWorkers: workersOf(availableParallelism() * 2) } as const

interface Project extends Record<string, unknown> {
  name: string
  part: Part
  /** Projects of one group run side by side. */
  group: number
}

const PROJECTS: readonly Project[] = [
  {
    ...SHARED,
    ...OVER_SQLITE,
    name: 'unit',
    part: 'unit tests',
    group: 0,
    include: ['test/*.test.ts', 'test/{contract,bff,sandbox}/**/*.test.ts'],
    exclude: [...WITH_PROCESSES, ...LONG, ...STRESS, MANY_MACHINES],
  },
  {
    ...SHARED,
    name: 'web',
    part: 'unit tests',
    group: 0,
    environment: 'happy-dom',
    include: ['test/web/**/*.test.{ts,tsx}'],
    setupFiles: [...SETUP, 'test/web/_setup.ts'],
  },
  {
    ...SHARED,
    name: 'process',
    part: 'processes and stores',
    group: 1,
    include: [...WITH_PROCESSES, 'test/{store,serve}/**/*.test.ts'],
    exclude: [...LONG, ...OF_POSTGRES],
  },
  {
    ...SHARED,
    name: 'postgres',
    part: 'processes and stores',
    group: 1,
    include: postgresTests(),
    setupFiles: [...SETUP, 'test/postgres/_setup.ts'],
    globalSetup: 'test/postgres/_server.ts',
  },
  {
    ...OVER_SQLITE,
    name: 'long',
    part: 'processes and stores',
    group: 1,
    environment: 'node',
    include: LONG,
  },
  { ...IN_BROWSER, ...ALONE, name: 'stress', part: 'processes and stores', include: STRESS },
  { ...IN_BROWSER, ...BROWSERS, name: 'journey', include: [JOURNEY] },
  {
    ...IN_BROWSER,
    ...BROWSERS,
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    exclude: [JOURNEY, ...WHOLE_RUN],
  },
  {
    ...IN_BROWSER,
    ...BROWSERS,
    name: 'firefox',
    env: { BROWSER_UNDER_TEST: 'firefox' },
    include: firefoxTests(),
    setupFiles: [...SETUP, 'test/firefox/_setup.ts'],
  },
  {
    ...IN_BROWSER,
    ...BROWSERS,
    name: 'webkit',
    include: findWebKit() === undefined ? [] : ['test/webkit/*.test.ts'],
  },
]

export const partOf = (name: string): Part | undefined => PROJECTS.find((one) => one.name === name)?.part

export const projects: TestProjectConfiguration[] = PROJECTS.map(({ group, ...test }) => ({
  extends: true,
  test: { ...test, sequence: { groupOrder: group, setupFiles: 'list' } },
}))
