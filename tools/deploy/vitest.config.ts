import { defineConfig } from 'vitest/config'

/** `npm ci` may need a quarter of an hour. */
const TEST_MS = 1_800_000

export default defineConfig({
  test: {
    include: ['tools/deploy/deploy.ts'],
    bail: 1,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
  },
})
