// Each lint rule catches a violation planted in a tree laid out like ours, also in subfolders.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A sentence, the file, its source, and the rule that has to catch the line marked with `// HERE`. */
type Violation = [title: string, file: string, source: string, rule: string]

const VIOLATIONS: Violation[] = [
  [
    'contract imports a package',
    'contract/package.ts',
    `import { Hono } from 'hono' // HERE\nexport const a = Hono`,
    'plimsoll(boundaries)',
  ],
  [
    'contract imports node',
    'contract/node.ts',
    `import { hash } from 'node:crypto' // HERE\nexport const a = hash`,
    'plimsoll(boundaries)',
  ],
  [
    'contract imports bff',
    'contract/other.ts',
    `import { a } from '../bff/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'web imports bff',
    'web/bff.ts',
    `import { a } from '../bff/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'web imports a type of the bff',
    'web/type.ts',
    `import type { a } from '../bff/clean.ts' // HERE\nexport type B = typeof a`,
    'plimsoll(boundaries)',
  ],
  [
    'web loads a package of the server late',
    'web/late.ts',
    `export const b = () => import('undici') // HERE`,
    'plimsoll(boundaries)',
  ],
  [
    'web imports node',
    'web/node.ts',
    `import { hash } from 'node:crypto' // HERE\nexport const a = hash`,
    'plimsoll(boundaries)',
  ],
  [
    'bff imports an adapter of the store',
    'bff/adapter.ts',
    `import { a } from '../store/sqlite/sqlite.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'bff imports the sandbox',
    'bff/sandbox.ts',
    `import { a } from '../sandbox/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'bff reads files',
    'bff/files.ts',
    `import { rmSync } from 'node:fs' // HERE\nexport const a = rmSync`,
    'plimsoll(boundaries)',
  ],
  [
    'bff imports serve',
    'bff/serve.ts',
    `import { a } from '../serve.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'bff imports a file of serve',
    'bff/serve-file.ts',
    `import { a } from '../serve/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'serve imports the page',
    'serve/page.ts',
    `import { A } from '../web/app/clean.tsx' // HERE\nexport const b = A`,
    'plimsoll(boundaries)',
  ],
  [
    'sandbox imports the bff',
    'sandbox/bff.ts',
    `import { a } from '../bff/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'sandbox hands on what the store has',
    'sandbox/store.ts',
    `export { a } from '../store/sqlite/sqlite.ts' // HERE`,
    'plimsoll(boundaries)',
  ],
  [
    'store imports the bff',
    'store/bff.ts',
    `import { a } from '../bff/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'bff imports the router that only the sandbox uses',
    'bff/router.ts',
    `import { Hono } from 'hono' // HERE\nexport const b = Hono`,
    'plimsoll(boundaries)',
  ],
  [
    'store imports an http library',
    'store/http.ts',
    `import { Hono } from 'hono' // HERE\nexport const b = Hono`,
    'plimsoll(boundaries)',
  ],
  // The same at depth: the file is in a subfolder.
  [
    'a subfolder of bff imports the sandbox',
    'bff/deep/deeper/sandbox.ts',
    `import { a } from '../../../sandbox/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a subfolder of web imports bff',
    'web/deep/bff.ts',
    `import { a } from '../../bff/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a subfolder of contract imports a package',
    'contract/deep/package.ts',
    `import { Hono } from 'hono' // HERE\nexport const a = Hono`,
    'plimsoll(boundaries)',
  ],
  // The order of the folders inside each part.
  [
    'a folder of web imports one after it',
    'web/lib/later.ts',
    `import { a } from '../app/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of web imports a type of one after it',
    'web/quota/type.ts',
    `import type { a } from '../month/clean.ts' // HERE\nexport type B = typeof a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of web loads one after it late',
    'web/session/late.ts',
    `export const b = () => import('../ledger/clean.ts') // HERE`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of web takes the styles of one after it',
    'web/components/styles.ts',
    `import '../month/month.module.css' // HERE\nexport const b = 1`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder inside a folder of web imports one after that',
    'web/text/en/later.ts',
    `import { a } from '../../lib/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a file at the top of web, which has no place in the order, imports a folder',
    'web/top.ts',
    `import { a } from './lib/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of the bff imports one after it',
    'bff/core/later.ts',
    `import { a } from '../token/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of the bff imports bff.ts',
    'bff/pages/top.ts',
    `import { a } from '../bff.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of the bff has a name that is not in the order',
    'bff/other/unknown.ts',
    `import { a } from '../core/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'the port of the store imports a folder',
    'store/store.ts',
    `import { a } from './shared/clean.ts' // HERE\nexport interface S { a: typeof a }`,
    'plimsoll(boundaries)',
  ],
  [
    'what engines share imports an engine',
    'store/shared/later.ts',
    `import { a } from '../sqlite/sqlite.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'an engine imports another',
    'store/redis/other.ts',
    `import { a } from '../sqlite/sqlite.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'an engine imports the one after it',
    'store/sqlite/other.ts',
    `import { a } from '../redis/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of serve imports one after it',
    'serve/settings/later.ts',
    `import { a } from '../http/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of the sandbox imports one after it',
    'sandbox/token/later.ts',
    `import { a } from '../settings/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of the sandbox imports sandbox.ts',
    'sandbox/control/top.ts',
    `import { a } from '../sandbox.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of the sandbox has a name that is not in the order',
    'sandbox/other/unknown.ts',
    `import { a } from '../state/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder of the sandbox imports the bff',
    'sandbox/token/bff.ts',
    `import { a } from '../../bff/clean.ts' // HERE\nexport const b = a`,
    'plimsoll(boundaries)',
  ],
  [
    'a folder without a rule imports something',
    'extra/file.ts',
    `import { b } from '../contract/clean.ts' // HERE\nexport const a = b`,
    'plimsoll(boundaries)',
  ],
  [
    'a subfolder of the sandbox calls the global fetch',
    'sandbox/http/fetches.ts',
    `export const a = () => fetch('https://x.example') // HERE`,
    'eslint(no-restricted-globals)',
  ],
  [
    'a subfolder of the sandbox asks new Date',
    'sandbox/limits/date.ts',
    `export const a = () => new Date() // HERE`,
    'plimsoll(no-wall-clock)',
  ],
  [
    'a subfolder of web sets retry',
    'web/deep/retry.ts',
    `export const a = { retry: 3 } // HERE`,
    'plimsoll(no-self-refetch)',
  ],
  ...['contract', 'bff', 'sandbox', 'store'].flatMap((folder): Violation[] => [
    [
      `${folder} calls the global fetch`,
      `${folder}/fetches.ts`,
      `export const a = () => fetch('https://x.example') // HERE`,
      'eslint(no-restricted-globals)',
    ],
    [
      `${folder} calls fetch through globalThis`,
      `${folder}/global.ts`,
      `export const a = () => globalThis.fetch('https://x.example') // HERE`,
      'eslint(no-restricted-globals)',
    ],
    [
      `${folder} reads the environment`,
      `${folder}/env.ts`,
      `export const a = process.env.HOME // HERE`,
      'eslint(no-restricted-globals)',
    ],
    [
      `${folder} runs on a timer`,
      `${folder}/timer.ts`,
      `export const a = () => setInterval(() => {}, 1000) // HERE`,
      'eslint(no-restricted-globals)',
    ],
    [
      `${folder} asks Date.now`,
      `${folder}/now.ts`,
      `export const a = () => Date.now() // HERE`,
      'eslint(no-restricted-properties)',
    ],
    [
      `${folder} asks performance.now`,
      `${folder}/stopwatch.ts`,
      `export const a = () => performance.now() // HERE`,
      'eslint(no-restricted-properties)',
    ],
    [
      `${folder} asks new Date`,
      `${folder}/date.ts`,
      `export const a = () => [new Date(0),\n new Date()] // HERE`,
      'plimsoll(no-wall-clock)',
    ],
    [
      `${folder} uses Math.random`,
      `${folder}/random.ts`,
      `export const a = () => Math.random() // HERE`,
      'eslint(no-restricted-properties)',
    ],
  ]),
  [
    'contract waits',
    'contract/wait.ts',
    `export const a = () => setTimeout(() => {}, 1) // HERE`,
    'eslint(no-restricted-globals)',
  ],
  [
    'sandbox waits',
    'sandbox/wait.ts',
    `export const a = () => setTimeout(() => {}, 1) // HERE`,
    'eslint(no-restricted-globals)',
  ],
  [
    'web uses Math.random',
    'web/random.ts',
    `export const a = () => Math.random() // HERE`,
    'eslint(no-restricted-properties)',
  ],
  [
    'web fetches outside api.ts',
    'web/fetches.ts',
    `export const a = () => fetch('/api') // HERE`,
    'eslint(no-restricted-globals)',
  ],
  [
    'web fetches through window',
    'web/window.ts',
    `export const a = () => window.fetch('/api') // HERE`,
    'eslint(no-restricted-globals)',
  ],
  ...[
    'refetchOnWindowFocus',
    'refetchOnReconnect',
    'refetchOnMount',
    'retry',
    'refetchInterval',
    'staleTime',
  ].map(
    (name): Violation => [
      `web sets ${name} outside query.ts`,
      `web/${name.toLowerCase()}.ts`,
      `export const a = { ${name}: 3 } // HERE`,
      'plimsoll(no-self-refetch)',
    ],
  ),
  [
    'web sets retry by assignment',
    'web/assigns.ts',
    `export const a: { retry?: number } = {}\na.retry = 3 // HERE`,
    'plimsoll(no-self-refetch)',
  ],
  // A text outside the dictionaries: of an element, of an attribute, of a member, of a title, and one that is shown elsewhere.
  ...[
    ['<p>Reload</p>', 'element'],
    ['<p>{b} left</p>', 'rest'],
    ['<>再読み込み</>', 'fragment'],
    ["<p>{b ? 'on' : <b>{b}</b>}</p>", 'choice'],
    ["<p>{b && 'on'}</p>", 'condition'],
    ["<p>{b + ' left'}</p>", 'sum'],
    ['<p>{`${b} left`}</p>', 'template'],
    ["<p>{['Requests left', b]}</p>", 'list'],
    ['<p aria-label="Reload" />', 'label'],
    ['<p aria-description={`Reload ${b}`} />', 'description'],
    ["<p aria-valuetext={b ? 'many' : b} />", 'valuetext'],
    ["<p aria-roledescription={'meter' satisfies string} />", 'role'],
    ['<img src="/a.svg" alt="Chart" />', 'alt'],
    ['<p title="Reload" />', 'title'],
    ['<input placeholder="1001" aria-placeholder="Number" />', 'placeholder'],
    ["<B label={b ?? 'Reload'} />", 'prop'],
    ['<B heading="Reload" />', 'heading'],
    ['<B lead={`Reload`} />', 'lead'],
    ['<B done="Saved" />', 'done'],
    ['<B words="Saved" />', 'words'],
    ['<B summary="Saved" />', 'summary'],
    ['<B other="Try anyway" />', 'other'],
    ["<B actions={{ again: { label: 'Reload' } }} />", 'member'],
    ['<B of={`${b} left`} />', 'phrase'],
  ].map(
    ([source, name]): Violation => [
      `web shows a text outside the dictionaries: ${source}`,
      `web/deep/ledger-${name}.tsx`,
      `export const B = ({ of }: Record<string, unknown>) => (of ? null : undefined)\nexport const A = ({ b }: { b?: string }) => b === "" ? null : ${source} // HERE`,
      'plimsoll(texts-in-dictionaries)',
    ],
  ),
  ...[
    ["useTitle('Ledger')", 'use-title'],
    ["document.title = 'Ledger'", 'document-title'],
    ["b.push('The ledger is read.')", 'sentence'],
    ["b.push('もう一度')", 'japanese'],
    ['b.push(`${b.length} left`)', 'phrase'],
  ].map(
    ([source, name]): Violation => [
      `web has a text outside the dictionaries: ${source}`,
      `web/deep/ledger-${name}.ts`,
      `export const useTitle = (title: string) => title\nexport function a(b: string[]) {\n  ${source} // HERE\n  return b\n}`,
      'plimsoll(texts-in-dictionaries)',
    ],
  ),
  [
    'web names the secret',
    'web/secret.ts',
    `export const a = 'client_secret' // HERE`,
    'plimsoll(no-token-words)',
  ],
  [
    'web names an access token in an identifier',
    'web/access.ts',
    `export const accessToken = 1 // HERE`,
    'plimsoll(no-token-words)',
  ],
  [
    'web names a refresh token in a comment',
    'web/refresh.ts',
    `// refresh_token HERE\nexport const a = 1`,
    'plimsoll(no-token-words)',
  ],
  [
    'web writes raw markup',
    'web/raw.tsx',
    `export const A = () => <p dangerouslySetInnerHTML={{ __html: '' }} /> // HERE`,
    'react(no-danger)',
  ],
  [
    'web writes innerHTML',
    'web/inner.ts',
    `document.body.innerHTML = '' // HERE`,
    'eslint(no-restricted-properties)',
  ],
  [
    'web shows an image without words',
    'web/image.tsx',
    `export const A = () => <img src="/a.svg" /> // HERE`,
    'jsx-a11y(alt-text)',
  ],
  [
    'web makes a label for nothing',
    'web/label.tsx',
    `export const A = () => <label>1</label> // HERE`,
    'jsx-a11y(label-has-associated-control)',
  ],
  [
    'a function of more than 40 lines',
    'bff/long.ts',
    `export function a(b: string[]) { // HERE\n${'  b.push(String(b.length))\n'.repeat(40)}}`,
    'eslint(max-lines-per-function)',
  ],
  [
    'a function with more than 12 paths through it',
    'sandbox/token/complex.ts',
    `export function a(b: number) { // HERE\n${Array.from({ length: 12 }, (_, at) => `  if (b === ${at}) return ${at + 1}\n`).join('')}  return b\n}`,
    'eslint(complexity)',
  ],
  ['a default export', 'bff/default.ts', `export default 1 // HERE`, 'import(no-default-export)'],
  ['export *', 'bff/core/star.ts', `export * from './clean.ts' // HERE`, 'plimsoll(no-export-star)'],
  [
    'an import in a cycle',
    'bff/core/cycle.ts',
    `import { b } from './cycle-back.ts' // HERE\nexport const a = () => b`,
    'import(no-cycle)',
  ],
  [
    'the other end of the cycle',
    'bff/core/cycle-back.ts',
    `import { a } from './cycle.ts' // HERE\nexport const b = () => a`,
    'import(no-cycle)',
  ],
  ['a file name in camel case', 'bff/camelCase.ts', `export const a = 1 // HERE`, 'unicorn(filename-case)'],
  [
    'an import without extension',
    'bff/core/extension.ts',
    `import { a } from './clean' // HERE\nexport const b = a`,
    'import(extensions)',
  ],
  ['console', 'bff/console.ts', `console.log(1) // HERE`, 'eslint(no-console)'],
  [
    'a promise that is not awaited',
    'bff/floating.ts',
    `Promise.resolve(1) // HERE`,
    'typescript(no-floating-promises)',
  ],
  [
    'a promise where a yes or no belongs',
    'bff/misused.ts',
    `export const a = async (b: Promise<boolean>) => {\n  if (b) await b // HERE\n}`,
    'typescript(no-misused-promises)',
  ],
  [
    'await before a plain value',
    'bff/await.ts',
    `export const a = async (b: number) => {\n  await b // HERE\n}`,
    'typescript(await-thenable)',
  ],
  [
    'a switch statement without one of the cases',
    'bff/cases.ts',
    `export const a = (b: 'x' | 'y') => {\n  switch (b) { // HERE\n    case 'x':\n      return 1\n  }\n  return 2\n}`,
    'typescript(switch-exhaustiveness-check)',
  ],
  [
    'a value of no known type',
    'bff/unsafe.ts',
    `export const a = (b: string): number => JSON.parse(b) // HERE`,
    'typescript(no-unsafe-return)',
  ],
  [
    'a disable comment that is not needed',
    'bff/disable.ts',
    `// oxlint-disable-next-line no-console HERE\nexport const a = 1`,
    'unused-directive',
  ],
]

const CLEAN: Record<string, string> = {
  'serve.ts': `import { a as b } from './bff/clean.ts'\nexport const a = 1\nexport const c = [b, process.env.HOME, Date.now(), new Date()]`,
  'contract/clean.ts': `import { a } from './month-names.ts'\nexport const b = new Date(a)`,
  'contract/month-names.ts': `export const a = 0`,
  'bff/bff.ts': `import { a as b } from './pages/clean.ts'\nexport const a = b`,
  'bff/core/clean.ts': `export const a = 1`,
  'bff/token/clean.ts': `import { a as b } from '../core/clean.ts'\nexport const a = b`,
  'bff/pages/clean.ts': `import { a as b } from '../token/clean.ts'\nexport const a = b`,
  'bff/clean.ts': `import { createHash } from 'node:crypto'\nimport { LRUCache } from 'lru-cache'\nimport { b } from '../contract/clean.ts'\nimport type { S } from '../store/store.ts'\nexport const a = (s: S) => [b, s, new LRUCache({ max: 1 }), createHash('sha256'), setTimeout(() => {}, 1)]`,
  'sandbox/clean.tsx': `/** @jsxImportSource hono/jsx */\nimport { b } from '../contract/clean.ts'\nexport const Page = () => <p class="x">{b.getTime()}</p>`,
  'sandbox/clean.ts': `export const a = 1`,
  'sandbox/sandbox.ts': `import { a as b } from './control/clean.ts'\nexport const a = b`,
  'sandbox/state/clean.ts': `import { b } from '../../contract/clean.ts'\nexport const a = b`,
  'sandbox/settings/clean.ts': `import { a as b } from '../state/clean.ts'\nexport const a = b`,
  'sandbox/control/clean.ts': `import { a as b } from '../settings/clean.ts'\nimport { c } from './beside.ts'\nexport const a = [b, c]`,
  'sandbox/control/beside.ts': `export const c = 1`,
  'serve/settings/clean.ts': `export const a = 1`,
  'serve/http/clean.ts': `import { a as b } from '../settings/clean.ts'\nexport const a = b`,
  'serve/clean.ts': `import { rmSync } from 'node:fs'\nimport { a as b } from '../bff/clean.ts'\nexport const a = [b, rmSync]`,
  'store/shared/clean.ts': `import type { S } from '../store.ts'\nexport const a = (s: S) => s`,
  'store/redis/clean.ts': `import { a as b } from '../shared/clean.ts'\nimport { a as c } from './scripts/clean.ts'\nexport const a = [b, c]`,
  'store/redis/scripts/clean.ts': `import type { S } from '../../store.ts'\nexport const a = (s: S) => s`,
  'store/sqlite/sqlite.ts': `import { rmSync } from 'node:fs'\nimport Database from 'libsql'\nexport const a = () => [new Database(':memory:'), rmSync]`,
  'web/lib/clean.ts': `export const a = 1`,
  'web/month/clean.ts': `import { a as b } from '../lib/clean.ts'\nexport const a = b`,
  'web/ledger/clean.ts': `import { a as b } from '../month/clean.ts'\nexport const a = b`,
  'web/app/clean.ts': `import { a as b } from '../ledger/clean.ts'\nexport const a = b`,
  'web/app/clean.tsx': `import { useState } from 'react'\nimport './clean.css'\nexport const A = () => {\n  const [a] = useState(1)\n  return <p>{a}</p>\n}`,
  // What a person does not read, and texts that are in the dictionaries.
  'web/deep/ledger-clean.tsx': `
export const A = ({ t, b }: { t: { a: string; b: (n: number) => string }; b: string }) => {
  if (b === 'Another browser') throw new Error('The ledger is not read.')
  return (
    <p className="a b" role="note" aria-label={t.b(3)} title={b === 'all' ? t.a : undefined} data-kind="quiet">
      Plimsoll · {t.a}: {' '}&nbsp;({b.split(', ').join(' – ')}) <a href="/ledger" rel="noopener noreferrer">{t.a}</a>
      <svg viewBox="0 0 24 12"><path d={\`M0 \${b}H24\`} /></svg>
      {document.querySelector('form input')?.id}
    </p>
  )
}`,
  'web/deep/ledger-clean.ts': `
export function setTitle(title: string) {
  document.title = \`\${title} · Plimsoll\`
}`,
  'web/text/en/ledger.ts': `export const ledger = { title: 'Ledger', left: (n: number) => \`\${n} left\`, words: 'It is read.' }`,
  'web/lib/api.ts': `export const a = () => fetch('/api')`,
  'web/lib/query.ts': `export const a = { retry: false, staleTime: Infinity }`,
}

const found = new Map<string, { line: number; rule: string }[]>()
const root = mkdtempSync(join(tmpdir(), 'plimsoll-rules-'))
afterAll(() => rmSync(root, { recursive: true }))

beforeAll(() => {
  for (const ours of ['.oxlintrc.json', 'tools/lint', 'tsconfig.json', 'package.json'])
    cpSync(ours, join(root, ours), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const planted = VIOLATIONS.map(([, file, source]) => [file, source] as const)
  for (const [file, source] of [...planted, ...Object.entries(CLEAN)]) {
    mkdirSync(dirname(join(root, 'src', file)), { recursive: true })
    writeFileSync(join(root, 'src', file), `${source}\n`)
  }
  const oxlint = resolve('node_modules/oxlint/bin/oxlint')
  const run = spawnSync(process.execPath, [oxlint, '-f', 'json', 'src'], { cwd: root, encoding: 'utf8' })
  for (const { filename, code, labels } of JSON.parse(run.stdout).diagnostics) {
    const file = filename.replace(/^src\//, '')
    const violation = { line: labels[0]?.span.line ?? 1, rule: code ?? 'unused-directive' }
    found.set(file, [...(found.get(file) ?? []), violation])
  }
})

test.each(VIOLATIONS)('oxlint catches: %s', (_, file, source, rule) => {
  const line = source.split('\n').findIndex((text) => text.includes('HERE')) + 1
  expect(found.get(file)).toEqual([{ line, rule }])
})

test.each(Object.keys(CLEAN))('oxlint has nothing against src/%s', (file) => {
  expect(found.get(file)).toBeUndefined()
})
