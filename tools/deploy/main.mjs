// `npm run deploy [-- --installed]`: vitest runs deploy.ts, over the helpers of its tests.
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { installed: { type: 'boolean', default: false } } })
const env = { INSTALLED: values.installed ? 'yes' : 'no' }
const vitest = await startVitest('test', [], { config: 'tools/deploy/vitest.config.ts', watch: false, env })
await vitest.close()
