// The tests of the mutated parts, for Stryker's vitest runner; main.mjs sets MUTATED_PARTS.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const parts = process.env['MUTATED_PARTS']?.split(',') ?? []
const isWeb = parts.includes('web')

export default defineConfig({
  plugins: [react({ include: /\/src\/web\/.*\.tsx$/ })],
  test: {
    include: parts.map((part) => `test/${part}/**/*.test.{ts,tsx}`),
    environment: isWeb ? 'happy-dom' : 'node',
    setupFiles: ['tools/mutation/_seed.ts', ...(isWeb ? ['test/web/_setup.ts'] : [])],
    // A mutant that makes a test hang is noticed sooner than with vite.config.ts. Tests of the store wait for
    // locks, and PostgreSQL takes seconds to start.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    css: { include: /sandbox\/http\/style\.css/ },
  },
})
