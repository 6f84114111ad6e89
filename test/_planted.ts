// Violations of the lint rules, in a tree laid out like src.

/** A file, its source, and the rule that has to catch the line marked with `HERE`, or its only line. */
export type Violation = [file: string, source: string, rule: string]

/** What each file imports, and from where. */
const IMPORTS = [
  'contract/package.ts: Hono from hono',
  'contract/node.ts: hash from node:crypto',
  'contract/other.ts: a from ../bff/clean.ts',
  'web/bff.ts: a from ../bff/clean.ts',
  'web/node.ts: hash from node:crypto',
  'bff/adapter.ts: a from ../store/sqlite/sqlite.ts',
  'bff/sandbox.ts: a from ../sandbox/clean.ts',
  'bff/files.ts: rmSync from node:fs',
  'bff/serve.ts: a from ../serve.ts',
  'bff/serve-file.ts: a from ../serve/clean.ts',
  'serve/page.ts: A from ../web/app/clean.tsx',
  'sandbox/bff.ts: a from ../bff/clean.ts',
  'store/bff.ts: a from ../bff/clean.ts',
  'contract/valibot.ts: string from valibot',
  'store/http.ts: Hono from hono',
  'bff/deep/deeper/sandbox.ts: a from ../../../sandbox/clean.ts',
  'web/deep/bff.ts: a from ../../bff/clean.ts',
  'contract/deep/package.ts: Hono from hono',
  'web/lib/later.ts: a from ../app/clean.ts',
  'web/text/en/later.ts: a from ../../lib/clean.ts',
  'web/top.ts: a from ./lib/clean.ts',
  'bff/core/later.ts: a from ../token/clean.ts',
  'bff/pages/top.ts: a from ../bff.ts',
  'bff/other/unknown.ts: a from ../core/clean.ts',
  'store/engine/later.ts: a from ../sqlite/sqlite.ts',
  'store/postgres/other.ts: a from ../sqlite/sqlite.ts',
  'store/sqlite/other.ts: a from ../postgres/clean.ts',
  'serve/settings/later.ts: a from ../http/clean.ts',
  'sandbox/token/later.ts: a from ../settings/clean.ts',
  'sandbox/control/top.ts: a from ../sandbox.ts',
  'sandbox/other/unknown.ts: a from ../state/clean.ts',
  'sandbox/token/bff.ts: a from ../../bff/clean.ts',
  'extra/file.ts: b from ../contract/clean.ts',
]
/** The same by a type, late, by passing it on, or for its styles. */
const OTHER_IMPORTS: Record<string, string> = {
  'web/type.ts': `import type { a } from '../bff/clean.ts' // HERE\nexport type B = typeof a`,
  'web/late.ts': `export const b = () => import('undici')`,
  'sandbox/store.ts': `export { a } from '../store/sqlite/sqlite.ts'`,
  'store/store.ts': `import { a } from './shared/clean.ts' // HERE\nexport interface S { a: typeof a }`,
  'web/quota/type.ts': `import type { a } from '../month/clean.ts' // HERE\nexport type B = typeof a`,
  'web/session/late.ts': `export const b = () => import('../ledger/clean.ts')`,
  'web/components/styles.ts': `import '../month/month.module.css' // HERE\nexport const b = 1`,
}

const BY_RULE: Record<string, Record<string, string>> = {
  'eslint(no-restricted-globals)': {
    'sandbox/http/fetches.ts': `export const a = () => fetch('https://x.example')`,
    'contract/wait.ts': `export const a = () => setTimeout(() => {}, 1)`,
    'sandbox/wait.ts': `export const a = () => setTimeout(() => {}, 1)`,
    'web/fetches.ts': `export const a = () => fetch('/api')`,
    'web/window.ts': `export const a = () => window.fetch('/api')`,
  },
  'eslint(no-restricted-properties)': {
    'web/random.ts': `export const a = () => Math.random()`,
    'web/inner.ts': `document.body.innerHTML = ''`,
  },
  'react(no-danger)': {
    'web/raw.tsx': `export const A = () => <p dangerouslySetInnerHTML={{ __html: '' }} />`,
  },
  'jsx-a11y(alt-text)': { 'web/image.tsx': `export const A = () => <img src="/a.svg" />` },
  'jsx-a11y(label-has-associated-control)': { 'web/label.tsx': `export const A = () => <label>1</label>` },
  'eslint(max-lines-per-function)': {
    'bff/long.ts': `export function a(b: string[]) { // HERE\n${'  b.push(String(b.length))\n'.repeat(40)}}`,
  },
  'eslint(complexity)': {
    'sandbox/token/complex.ts': `export const a = (b: number) => [${'b ? 1 : 2, '.repeat(12)}]`,
  },
  'import(no-default-export)': { 'bff/default.ts': `export default 1` },
  'import(no-cycle)': {
    'bff/core/cycle.ts': `import { b } from './cycle-back.ts' // HERE\nexport const a = () => b`,
    'bff/core/cycle-back.ts': `import { a } from './cycle.ts' // HERE\nexport const b = () => a`,
  },
  'unicorn(filename-case)': { 'bff/camelCase.ts': `export const a = 1` },
  'import(extensions)': {
    'bff/core/extension.ts': `import { a } from './clean' // HERE\nexport const b = a`,
  },
  'eslint(no-console)': { 'bff/console.ts': `console.log(1)` },
  'typescript(no-floating-promises)': { 'bff/floating.ts': `Promise.resolve(1)` },
  'typescript(no-misused-promises)': {
    'bff/misused.ts': `export const a = async (b: Promise<boolean>) => {\n  if (b) await b // HERE\n}`,
  },
  'typescript(await-thenable)': {
    'bff/await.ts': `export const a = async (b: number) => {\n  await b // HERE\n}`,
  },
  'typescript(switch-exhaustiveness-check)': {
    'bff/cases.ts': `export const a = (b: 'x' | 'y') => {\n  switch (b) { // HERE\n    case 'x':\n      return 1\n  }\n  return 2\n}`,
  },
  'typescript(no-unsafe-return)': {
    'bff/unsafe.ts': `export const a = (b: string): number => JSON.parse(b)`,
  },
  'unused-directive': { 'bff/disable.ts': `// oxlint-disable-next-line no-console HERE\nexport const a = 1` },
}

/** What no part below serve may ask the machine for. */
const AMBIENT: Record<string, string> = {
  fetches: `fetch('https://x.example')`,
  global: `globalThis.fetch('https://x.example')`,
  env: 'process.env.HOME',
  timer: 'setInterval(() => {}, 1000)',
  now: 'Date.now()',
  stopwatch: 'performance.now()',
  random: 'Math.random()',
}
const isProperty = /now|stopwatch|random/

/** Texts outside the dictionaries: in an element, an attribute, a member, a title, or shown elsewhere. */
const ELEMENTS = [
  '<p>Reload</p>',
  '<p>{b} left</p>',
  '<>再読み込み</>',
  "<p>{b ? 'on' : <b>{b}</b>}</p>",
  "<p>{b && 'on'}</p>",
  "<p>{b + ' left'}</p>",
  '<p>{`${b} left`}</p>',
  "<p>{['Requests left', b]}</p>",
  '<p aria-label="Reload" />',
  '<p aria-description={`Reload ${b}`} />',
  "<p aria-valuetext={b ? 'many' : b} />",
  "<p aria-roledescription={'meter' satisfies string} />",
  '<img src="/a.svg" alt="Chart" />',
  '<p title="Reload" />',
  '<input placeholder="1001" aria-placeholder="Number" />',
  "<B label={b ?? 'Reload'} />",
  '<B heading="Reload" />',
  '<B lead={`Reload`} />',
  '<B done="Saved" />',
  '<B words="Saved" />',
  '<B summary="Saved" />',
  '<B other="Try anyway" />',
  "<B actions={{ again: { label: 'Reload' } }} />",
  '<B of={`${b} left`} />',
]
const STATEMENTS = [
  "useTitle('Ledger')",
  "document.title = 'Ledger'",
  "b.push('The ledger is read.')",
  "b.push('もう一度')",
  'b.push(`${b.length} left`)',
]

const byFile = (rule: string, sources: Record<string, string>): Violation[] =>
  Object.entries(sources).map(([file, source]) => [file, source, rule])

export const VIOLATIONS: readonly Violation[] = [
  ...IMPORTS.map((line): Violation => {
    const [file = '', name, path] = line.split(/: | from /)
    return [
      file,
      `import { ${name} } from '${path}' // HERE\nexport const c = ${name}`,
      'plimsoll(boundaries)',
    ]
  }),
  ...byFile('plimsoll(boundaries)', OTHER_IMPORTS),
  ...Object.entries(BY_RULE).flatMap(([rule, sources]) => byFile(rule, sources)),
  ...['contract', 'bff', 'sandbox', 'store'].flatMap((folder) =>
    Object.entries(AMBIENT).map(([name, source]): Violation => {
      const kind = isProperty.test(name) ? 'properties' : 'globals'
      return [`${folder}/${name}.ts`, `export const a = () => ${source}`, `eslint(no-restricted-${kind})`]
    }),
  ),
  ...ELEMENTS.map((source, at): Violation => {
    const begin = 'export const B = ({ of }: Record<string, unknown>) => (of ? null : undefined)'
    const shown = `export const A = ({ b }: { b?: string }) => b === "" ? null : ${source} // HERE`
    return [`web/deep/element-${at}.tsx`, `${begin}\n${shown}`, 'plimsoll(texts-in-dictionaries)']
  }),
  ...STATEMENTS.map((source, at): Violation => {
    const begin = 'export const useTitle = (title: string) => title\nexport function a(b: string[]) {'
    return [
      `web/deep/statement-${at}.ts`,
      `${begin}\n  ${source} // HERE\n  return b\n}`,
      'plimsoll(texts-in-dictionaries)',
    ]
  }),
]

/** Files without a violation. The planted files import them. */
export const CLEAN: Readonly<Record<string, string>> = {
  'serve.ts': `import { a as b } from './bff/clean.ts'\nexport const a = 1\nexport const c = [b, process.env.HOME, Date.now(), new Date()]`,
  'contract/clean.ts': `import { a } from './month-names.ts'\nexport const b = new Date(a)`,
  'contract/month-names.ts': `export const a = 0`,
  'bff/bff.ts': `import { a as b } from './pages/clean.ts'\nexport const a = b`,
  'bff/core/clean.ts': `export const a = 1`,
  'bff/token/clean.ts': `import { a as b } from '../core/clean.ts'\nexport const a = b`,
  'bff/pages/clean.ts': `import { a as b } from '../token/clean.ts'\nexport const a = b`,
  'bff/clean.ts': `import { createHash } from 'node:crypto'\nimport { Agent } from 'undici'\nimport { b } from '../contract/clean.ts'\nimport type { S } from '../store/store.ts'\nexport const a = (s: S) => [b, s, new Agent(), createHash('sha256'), setTimeout(() => {}, 1)]`,
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
  'store/engine/clean.ts': `import type { S } from '../store.ts'\nexport const a = (s: S) => s`,
  'store/postgres/clean.ts': `import pg from 'pg'\nimport { a as b } from '../engine/clean.ts'\nexport const a = [b, pg]`,
  'store/sqlite/sqlite.ts': `import { rmSync } from 'node:fs'\nimport Database from 'libsql'\nexport const a = () => [new Database(':memory:'), rmSync]`,
  'web/lib/clean.ts': `export const a = 1`,
  'web/month/clean.ts': `import { a as b } from '../lib/clean.ts'\nexport const a = b`,
  'web/ledger/clean.ts': `import { a as b } from '../month/clean.ts'\nexport const a = b`,
  'web/app/clean.ts': `import { a as b } from '../ledger/clean.ts'\nexport const a = b`,
  'web/app/clean.tsx': `import { useState } from 'react'\nimport './clean.css'\nexport const A = () => {\n  const [a] = useState(1)\n  return <p>{a}</p>\n}`,
  // Strings that a person does not read, and texts from the dictionaries.
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
