// The configuration of build, development server and tests.
import { basename } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { IS_WHOLE } from './test/_extent.ts'
import { PATIENCE_MS, TEST_MS } from './test/kit/until.ts'
import { inMemory } from './test/_memory.ts'
import { LongestFirst } from './test/_longest-first.ts'
import { projects, WORKERS } from './test/_projects.ts'
import { compress } from './tools/build/compress.ts'
import { appInDev } from './tools/build/dev.ts'

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
        // Each has what it imports, unless a row above it has that already: fewer files load faster.
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'first', test: /rolldown.runtime|\/web\/app\/main\.tsx/, priority: 4 },
                { name: 'query', test: /\/@tanstack\//, priority: 3 },
                { name: 'signed-in', test: /\/web\/(app\/signed-in|components)/, priority: 2 },
                { name: 'side-pages', test: /\/web\/app\/side-screen\.tsx/, priority: 1 },
              ],
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
        rolldownOptions: {
          input: {
            serve: 'tools/build/serve.mjs',
            app: 'src/serve.ts',
            page: 'src/web/app/server.tsx',
          },
        },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      await Promise.all(Object.values(builder.environments).map((environment) => builder.build(environment)))
    },
  },
  test: {
    // Not UTC, so that tests notice a local time in the code.
    env: { TZ: 'Asia/Tokyo', ...inMemory() },
    reporters: ['default', './test/_progress.ts', './test/_closing-line.ts'],
    // These limits end tests that hang. They measure no speed, since a busy machine is slow.
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // The sandbox serves it as text. The tests need no other style sheet.
    css: { include: /sandbox\/http\/style\.css/ },
    maxWorkers: WORKERS,
    // The projects read a module that another one has compiled, and a later run reads those of this one.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    coverage: {
      // Coverage takes a sixth of the time, so only the whole run measures it.
      enabled: IS_WHOLE,
      provider: 'v8',
      include: ['src/**'],
      // These only run in a real process: test/browser covers them.
      exclude: [
        'src/serve.ts',
        'src/serve/start/app.ts',
        'src/serve/sandbox/sandbox.ts',
        'src/web/app/main.tsx',
        '**/*.css',
      ],
      reporter: ['text-summary'],
      thresholds: { lines: 90, branches: 85 },
    },
    projects,
  },
})
