// The parts of a test run in their order, so that a failure comes early: what is quick first, browsers last.
import { availableParallelism, totalmem } from 'node:os'
import type { TestProjectConfiguration } from 'vitest/config'
import { firefoxTests } from './firefox/find.ts'
import { redisTests } from './redis/find.ts'

/** In their order. */
export const PARTS = ['unit tests', 'processes and stores', 'browsers'] as const
export type Part = (typeof PARTS)[number]

/** A worker needs a core; and a browser with its app, or a page with its tree, as much memory. */
const BYTES_PER_WORKER = 1.5 * 2 ** 30
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
export const WORKERS = Math.max(1, Math.min(availableParallelism(), Math.floor(memory / BYTES_PER_WORKER)))

const JOURNEY = 'test/browser/journey.test.ts'
const STRESS = 'test/stress.test.ts'
/** These need a process of their own. */
const LONG = ['test/proof*.test.ts', 'test/store/faults.test.ts']
const WITH_PROCESSES = ['build', 'deploy', 'operations-files'].map((name) => `test/${name}.test.ts`)
const SETUP = ['test/_fresh-modules.ts', 'test/_setup.ts']
// Half the time. A simulated browser is not shared: react-dom remembers the last one.
const SHARED = { environment: 'node', setupFiles: SETUP, isolate: false } as const
const IN_BROWSER = { environment: 'node', globalSetup: 'test/browser/_build.ts' } as const

interface Project extends Record<string, unknown> {
  name: string
  part: Part
  /** Projects of one group run side by side. */
  group: number
}

const PROJECTS: readonly Project[] = [
  {
    ...SHARED,
    name: 'unit',
    part: 'unit tests',
    group: 0,
    include: ['test/*.test.ts', 'test/{contract,bff,sandbox}/**/*.test.ts'],
    exclude: [...WITH_PROCESSES, ...LONG, STRESS],
  },
  {
    name: 'web',
    part: 'unit tests',
    group: 0,
    environment: 'happy-dom',
    include: ['test/web/**/*.test.{ts,tsx}'],
    setupFiles: ['test/_setup.ts', 'test/web/_setup.ts'],
  },
  {
    ...SHARED,
    name: 'process',
    part: 'processes and stores',
    group: 1,
    include: [...WITH_PROCESSES, 'test/{store,serve}/**/*.test.ts'],
    exclude: LONG,
  },
  {
    ...SHARED,
    name: 'redis',
    part: 'processes and stores',
    group: 1,
    include: redisTests(),
    setupFiles: [...SETUP, 'test/redis/_setup.ts'],
    globalSetup: 'test/redis/_server.ts',
  },
  { name: 'long', part: 'processes and stores', group: 1, environment: 'node', include: LONG },
  { ...IN_BROWSER, name: 'stress', part: 'processes and stores', group: 2, include: [STRESS] },
  { ...IN_BROWSER, name: 'journey', part: 'browsers', group: 3, include: [JOURNEY] },
  {
    ...IN_BROWSER,
    name: 'browser',
    part: 'browsers',
    group: 3,
    include: ['test/browser/**/*.test.ts'],
    exclude: [JOURNEY],
  },
  {
    ...IN_BROWSER,
    name: 'firefox',
    part: 'browsers',
    group: 3,
    env: { BROWSER_UNDER_TEST: 'firefox' },
    include: firefoxTests(),
    setupFiles: ['test/firefox/_setup.ts'],
  },
]

/** @param name of a project */
export const partOf = (name: string): Part | undefined => PROJECTS.find((one) => one.name === name)?.part

export const projects: TestProjectConfiguration[] = PROJECTS.map(({ group, ...test }) => ({
  extends: true,
  test: { ...test, sequence: { groupOrder: group, setupFiles: 'list' } },
}))
