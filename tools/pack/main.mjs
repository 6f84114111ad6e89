// Writes dist/packages: the app as built, and the sandbox as one bundle without dependencies.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const FOLDER = resolve('dist/packages')
const SANDBOX = join(FOLDER, 'sandbox')
const BIN = `#!/usr/bin/env node
import { runCommand } from './index.js'
try {
  const { text, close } = await runCommand(process.argv.slice(2), process.env)
  process.stdout.write(text)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close())
} catch (error) {
  process.stderr.write(\`\${error.message}\\n\`)
  process.exitCode = 1
}
`
const README = `# @plimsoll/sandbox

A local stand-in for the service: sign-in, tokens, limits, faults and a clock that you set.

    node_modules/.bin/plimsoll-sandbox --ready-json

The path is better than npx in a script: a signal to npx ends npx alone, and the sandbox goes on.

    import { startSandbox } from '@plimsoll/sandbox'
    const { url, controlUrl, seed, reset, close } = await startSandbox({ port: 0 })

POST {controlUrl}/tokens {"person": "ada", "organization_id": 1001} gives a token without a page. The description of
all routes is at /openapi.json of both addresses. The types need \`Request\`: that of @types/node, or of the library dom.
`

const { version, license, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const ENTRY = { types: './index.d.ts', default: './index.js' }
const PACKAGE = {
  name: '@plimsoll/sandbox',
  version,
  description: 'A local stand-in for the service, with its limits, faults and a clock to set.',
  license,
  // Both `import` and `require` read it, also in a test runner that has no modules of its own.
  type: 'commonjs',
  engines,
  exports: { '.': ENTRY },
  types: './index.d.ts',
  bin: { 'plimsoll-sandbox': 'bin.mjs' },
}

async function bundleSandbox() {
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'src/serve/sandbox/package.ts',
      outDir: SANDBOX,
      target: 'node20',
      minify: true,
      copyPublicDir: false,
      emptyOutDir: false,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'index.js', codeSplitting: false } },
    },
  })
  copyFileSync('src/serve/sandbox/exports.d.ts', join(SANDBOX, 'index.d.ts'))
  copyFileSync('LICENSE', join(SANDBOX, 'LICENSE'))
  writeFileSync(join(SANDBOX, 'bin.mjs'), BIN, { mode: 0o755 })
  writeFileSync(join(SANDBOX, 'README.md'), README)
  writeFileSync(join(SANDBOX, 'package.json'), `${JSON.stringify(PACKAGE, null, 2)}\n`)
}

function pack(folder) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const flags = ['pack', '--silent', '--ignore-scripts', '--pack-destination', FOLDER]
  return execFileSync(npm, flags, { cwd: folder, encoding: 'utf8' }).trim()
}

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(SANDBOX, { recursive: true })
await bundleSandbox()
const isAppBuilt = !process.argv.includes('--sandbox')
for (const folder of [SANDBOX, ...(isAppBuilt ? ['.'] : [])]) console.log(join(FOLDER, pack(folder)))
