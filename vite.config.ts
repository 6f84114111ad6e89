// How the page and the server are built, served in development and tested.
import { basename } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { firefoxTests } from './test/firefox/find.ts'
import { redisTests } from './test/redis/find.ts'
import { chunkOf } from './vite.chunks.ts'
import { compress } from './vite.compress.ts'
import { appInDev } from './vite.dev.ts'

const NODE_TESTS = ['test/*.test.ts', 'test/{contract,bff,store,sandbox,serve}/**/*.test.{ts,tsx}']
const STRESS = 'test/stress.test.ts'
const TIMED = ['test/browser/live.test.ts', 'test/browser/input.test.ts']
// Coverage is measured without them: they show what the others do not, not more lines.
const LONG = ['test/proof*.test.ts', 'test/store/faults.test.ts']
const IN_BROWSER = {
  environment: 'node',
  exclude: TIMED,
  globalSetup: 'test/browser/_build.ts',
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Two real browsers at a time, when the other tests are done.
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
}
const port = Number(process.env.PLIMSOLL_PORT ?? 3000)
const host = process.env.PLIMSOLL_HOST ?? 'localhost'

export default defineConfig({
  plugins: [react({ include: /\/src\/web\/.*\.tsx$/ }), appInDev(), compress()],
  server: { port, host, strictPort: true },
  css: {
    modules: { generateScopedName: (name, file) => `${basename(file).replace(/\..*/, '')}_${name}` },
  },
  build: {
    target: 'baseline-widely-available',
    // The content security policy allows neither data: images nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/web',
        manifest: true,
        rolldownOptions: {
          // chunkOf names the file of each module itself: else a later group takes what an earlier one needs.
          output: {
            codeSplitting: {
              groups: [{ name: chunkOf, debugName: 'chunkOf', includeDependenciesRecursively: false }],
            },
          },
        },
      },
    },
    ssr: {
      build: {
        outDir: 'dist/server',
        target: 'node20',
        copyPublicDir: false,
        rolldownOptions: { input: { serve: 'src/serve.ts', prerender: 'src/web/prerender.tsx' } },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      await Promise.all(Object.values(builder.environments).map((environment) => builder.build(environment)))
    },
  },
  test: {
    // Not UTC, so that a local time in the code is found out.
    env: { TZ: 'Asia/Tokyo' },
    reporters: ['default', './test/_closing-line.ts'],
    // Against tests that hang, not for speed: a busy machine takes its time.
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    // Vitest leaves a core free for watching, which takes twice the time on two.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      // These only run in a real process: test/browser covers them.
      exclude: ['src/serve.ts', 'src/serve/{app,sandbox,workers}.ts', 'src/web/main.tsx', '**/*.css'],
      reporter: process.env.CI ? ['text-summary'] : ['text-summary', 'html'],
      thresholds: { lines: 90, branches: 85 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: NODE_TESTS,
          exclude: [STRESS, ...LONG],
          setupFiles: ['test/_fresh-modules.ts', 'test/_setup.ts'],
          // In half of the time. A simulated browser is not shared: react-dom keeps what it knows of the last one.
          isolate: false,
          sequence: { setupFiles: 'list' },
        },
      },
      {
        extends: true,
        test: {
          name: 'redis',
          environment: 'node',
          include: redisTests(),
          setupFiles: ['test/_fresh-modules.ts', 'test/_setup.ts', 'test/redis/_setup.ts'],
          globalSetup: 'test/redis/_server.ts',
          isolate: false,
          sequence: { setupFiles: 'list' },
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['test/web/**/*.test.{ts,tsx}'],
          setupFiles: ['test/_setup.ts', 'test/web/_setup.ts'],
        },
      },
      {
        extends: true,
        test: { ...IN_BROWSER, name: 'browser', include: ['test/browser/**/*.test.ts'] },
      },
      {
        extends: true,
        // The same pages in the other browser, at the same time.
        test: {
          ...IN_BROWSER,
          name: 'firefox',
          env: { BROWSER_UNDER_TEST: 'firefox' },
          include: firefoxTests(),
          setupFiles: ['test/firefox/_setup.ts'],
        },
      },
      { extends: true, test: { name: 'long', environment: 'node', include: LONG } },
      {
        extends: true,
        // Alone, since they look at how long things take that depend on the machine.
        test: {
          name: 'stress',
          environment: 'node',
          include: [...TIMED, STRESS],
          globalSetup: ['test/browser/_build.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
