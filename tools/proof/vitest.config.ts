import { defineConfig } from 'vitest/config'

/** Any number of runs may be asked for. */
const TEST_MS = 86_400_000

export default defineConfig({
  test: {
    include: ['test/proof.test.ts'],
    env: { TZ: 'Asia/Tokyo', TESTS: 'whole' },
    reporters: ['verbose'],
    disableConsoleIntercept: true,
    testTimeout: TEST_MS,
  },
})
