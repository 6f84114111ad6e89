// `npm run stress`: loads stress.ts, which node cannot run as it is.
import { runnerImport } from 'vite'

const { module } = await runnerImport('./tools/stress/stress.ts', { configFile: false })
process.exitCode = await module.stress(process.argv.slice(2))
