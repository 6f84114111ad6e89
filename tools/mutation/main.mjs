// `npm run mutate`: loads mutate.ts, which node cannot run as it is.
import { runnerImport } from 'vite'

const { module } = await runnerImport('./tools/mutation/mutate.ts', { configFile: false })
process.exitCode = await module.mutate(process.argv.slice(2))
