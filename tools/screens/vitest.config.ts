// `npm run screens [-- -t ledger]`: vitest takes the screenshots, over the helpers of its tests.
import { defineConfig } from 'vitest/config'
import { TEST_MS } from '../../test/kit/until.ts'

export default defineConfig({
  test: {
    include: ['tools/screens/{states,shown}.ts'],
    globalSetup: 'test/browser/_build.ts',
    fileParallelism: false,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    env: { TZ: 'Europe/London' },
  },
})
