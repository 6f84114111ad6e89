// `npm run screens`: loads screens.ts, which node cannot run as it is.
import { runnerImport } from 'vite'

const { module } = await runnerImport('./tools/screens/screens.ts', { configFile: false })
process.exitCode = await module.screens(process.argv.slice(2))
