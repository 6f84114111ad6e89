// The tests of one part, for Stryker's vitest runner; mutate.ts sets MUTATE_PART, MUTATE_TESTS and
// MUTATE_NEAREST.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { PARTS } from './parts.ts'
import { NearestFirst } from './sequence.ts'

const part = PARTS.find(({ name }) => name === process.env['MUTATE_PART'])
// A mutant that makes a test hang is noticed soon. No test of src takes a tenth of it.
const testTimeout = process.env['MUTATE_NEAREST'] === 'yes' ? (part?.nearestMs ?? 20_000) : 60_000

export default defineConfig({
  plugins: [react({ include: /\/src\/web\/.*\.tsx$/ })],
  test: {
    include: process.env['MUTATE_TESTS']?.split(',') ?? part?.tests ?? [],
    environment: part?.environment ?? 'node',
    setupFiles: part?.setupFiles ?? [],
    sequence: { sequencer: NearestFirst },
    testTimeout,
    hookTimeout: testTimeout,
    // A mutant is noticed sooner than with vite.config.ts. A cluster of Redis takes seconds to form.
    expect: { poll: { timeout: 15_000 } },
  },
})
