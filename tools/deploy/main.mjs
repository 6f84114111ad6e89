// `npm run deploy`: loads deploy.ts, which node cannot run as it is.
import { runnerImport } from 'vite'

const { module } = await runnerImport('./tools/deploy/deploy.ts', { configFile: false })
process.exitCode = await module.deploy()
