// The tests of one part, for Stryker's vitest runner; mutate.ts sets MUTATE_PART and MUTATE_TESTS.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { PARTS } from './parts.ts'

const part = PARTS.find(({ name }) => name === process.env['MUTATE_PART'])

export default defineConfig({
  plugins: [react({ include: /\/src\/web\/.*\.tsx$/ })],
  test: {
    include: process.env['MUTATE_TESTS']?.split(',') ?? part?.tests ?? [],
    environment: part?.environment ?? 'node',
    setupFiles: part?.setupFiles ?? [],
    // Stryker has its own limit for each mutant; a busy machine must not fail a test.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
