// `npm run mutate -- FILE...`: runs Stryker on the named files, or on contract, bff and store in turn.
// The script sets the zone of vite.config.ts, because the test processes of Stryker cannot set it.
import { Stryker } from '@stryker-mutator/core'

const named = process.argv.slice(2)
const runs = named.length > 0 ? [named] : ['contract', 'bff', 'store'].map((part) => [`src/${part}/**/*.ts`])
for (const mutate of runs) {
  // Read by vitest.config.ts in Stryker's own processes.
  process.env.MUTATED_PARTS = [...new Set(mutate.map((file) => file.split('/')[1]))].join(',')
  await new Stryker({ configFile: 'tools/mutation/stryker.config.mjs', mutate }).runMutationTest()
}
