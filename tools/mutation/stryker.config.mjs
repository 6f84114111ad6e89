// Stryker's options; main.mjs adds the files.
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  // Only the tests that import a mutated file.
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: true },
  coverageAnalysis: 'perTest',
  // Stryker 9 reads this file with an old interface of TypeScript that TypeScript 7 lacks, so it gets a file
  // that does not exist.
  tsconfigFile: 'reports/no-tsconfig.json',
  disableTypeChecks: false,
  concurrency: 2,
  // Added to the time of the tests: on a busy machine a mutant that is only slow must not count as detected.
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 20,
  tempDirName: 'reports/mutation/tmp',
  ignorePatterns: ['data', 'dist', 'coverage', 'reports', 'screens'],
  reporters: ['clear-text', 'html', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
  clearTextReporter: { reportTests: false },
  htmlReporter: { fileName: 'reports/mutation/mutation.html' },
  // In per cent. Below `break` the run ends with exit code 1.
  thresholds: { high: 95, low: 90, break: 90 },
}
