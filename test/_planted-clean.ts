// Files without a violation, by their path in src. The planted files import them.
export const CLEAN: Readonly<Record<string, string>> = {
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
