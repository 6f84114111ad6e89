// `npm run proof [-- --seed 7] [--path 12:0:3] [--runs 500] [-- -t random]` plays all of test/proof.test.ts.
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const text = { type: 'string' }
const options = { seed: text, path: text, runs: text, test: { ...text, short: 't' } }
const { seed, path, runs, test } = parseArgs({ options }).values
const given = { PROOF_SEED: seed, PROOF_PATH: path, PROOF_RUNS: runs }
const vitest = await startVitest('test', [], {
  config: false,
  include: ['test/proof.test.ts'],
  env: {
    TZ: 'Asia/Tokyo',
    TESTS: 'whole',
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  },
  reporters: ['default'],
  disableConsoleIntercept: true,
  // Any number of runs may be asked for.
  testTimeout: 86_400_000,
  watch: false,
  // A path leads to one run of the random ones.
  testNamePattern: path === undefined ? test : 'random',
})
await vitest.close()
