// Imports between the parts and folders of src that the rule plimsoll(boundaries) has to catch.
import type { Violation } from './_planted-code.ts'

const IMPORTS: readonly (readonly [title: string, file: string, source: string])[] = [
  [
    'contract imports a package',
    'contract/package.ts',
    `import { Hono } from 'hono' // HERE\nexport const a = Hono`,
  ],
  [
    'contract imports node',
    'contract/node.ts',
    `import { hash } from 'node:crypto' // HERE\nexport const a = hash`,
  ],
  [
    'contract imports bff',
    'contract/other.ts',
    `import { a } from '../bff/clean.ts' // HERE\nexport const b = a`,
  ],
  ['web imports bff', 'web/bff.ts', `import { a } from '../bff/clean.ts' // HERE\nexport const b = a`],
  [
    'web imports a type of the bff',
    'web/type.ts',
    `import type { a } from '../bff/clean.ts' // HERE\nexport type B = typeof a`,
  ],
  [
    'web loads a package of the server late',
    'web/late.ts',
    `export const b = () => import('undici') // HERE`,
  ],
  ['web imports node', 'web/node.ts', `import { hash } from 'node:crypto' // HERE\nexport const a = hash`],
  [
    'bff imports an adapter of the store',
    'bff/adapter.ts',
    `import { a } from '../store/sqlite/sqlite.ts' // HERE\nexport const b = a`,
  ],
  [
    'bff imports the sandbox',
    'bff/sandbox.ts',
    `import { a } from '../sandbox/clean.ts' // HERE\nexport const b = a`,
  ],
  ['bff reads files', 'bff/files.ts', `import { rmSync } from 'node:fs' // HERE\nexport const a = rmSync`],
  ['bff imports serve', 'bff/serve.ts', `import { a } from '../serve.ts' // HERE\nexport const b = a`],
  [
    'bff imports a file of serve',
    'bff/serve-file.ts',
    `import { a } from '../serve/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'serve imports the page',
    'serve/page.ts',
    `import { A } from '../web/app/clean.tsx' // HERE\nexport const b = A`,
  ],
  [
    'sandbox imports the bff',
    'sandbox/bff.ts',
    `import { a } from '../bff/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'sandbox hands on what the store has',
    'sandbox/store.ts',
    `export { a } from '../store/sqlite/sqlite.ts' // HERE`,
  ],
  [
    'store imports the bff',
    'store/bff.ts',
    `import { a } from '../bff/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'bff imports the router that only the sandbox uses',
    'bff/router.ts',
    `import { Hono } from 'hono' // HERE\nexport const b = Hono`,
  ],
  [
    'store imports an http library',
    'store/http.ts',
    `import { Hono } from 'hono' // HERE\nexport const b = Hono`,
  ],
  // The same in a subfolder.
  [
    'a subfolder of bff imports the sandbox',
    'bff/deep/deeper/sandbox.ts',
    `import { a } from '../../../sandbox/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a subfolder of web imports bff',
    'web/deep/bff.ts',
    `import { a } from '../../bff/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a subfolder of contract imports a package',
    'contract/deep/package.ts',
    `import { Hono } from 'hono' // HERE\nexport const a = Hono`,
  ],
  // The order of the folders inside each part.
  [
    'a folder of web imports one after it',
    'web/lib/later.ts',
    `import { a } from '../app/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of web imports a type of one after it',
    'web/quota/type.ts',
    `import type { a } from '../month/clean.ts' // HERE\nexport type B = typeof a`,
  ],
  [
    'a folder of web loads one after it late',
    'web/session/late.ts',
    `export const b = () => import('../ledger/clean.ts') // HERE`,
  ],
  [
    'a folder of web takes the styles of one after it',
    'web/components/styles.ts',
    `import '../month/month.module.css' // HERE\nexport const b = 1`,
  ],
  [
    'a folder inside a folder of web imports one after that',
    'web/text/en/later.ts',
    `import { a } from '../../lib/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a file at the top of web, which has no place in the order, imports a folder',
    'web/top.ts',
    `import { a } from './lib/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of the bff imports one after it',
    'bff/core/later.ts',
    `import { a } from '../token/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of the bff imports bff.ts',
    'bff/pages/top.ts',
    `import { a } from '../bff.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of the bff has a name that is not in the order',
    'bff/other/unknown.ts',
    `import { a } from '../core/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'the port of the store imports a folder',
    'store/store.ts',
    `import { a } from './shared/clean.ts' // HERE\nexport interface S { a: typeof a }`,
  ],
  [
    'what engines share imports an engine',
    'store/shared/later.ts',
    `import { a } from '../sqlite/sqlite.ts' // HERE\nexport const b = a`,
  ],
  [
    'an engine imports another',
    'store/redis/other.ts',
    `import { a } from '../sqlite/sqlite.ts' // HERE\nexport const b = a`,
  ],
  [
    'an engine imports the one after it',
    'store/sqlite/other.ts',
    `import { a } from '../redis/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of serve imports one after it',
    'serve/settings/later.ts',
    `import { a } from '../http/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of the sandbox imports one after it',
    'sandbox/token/later.ts',
    `import { a } from '../settings/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of the sandbox imports sandbox.ts',
    'sandbox/control/top.ts',
    `import { a } from '../sandbox.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of the sandbox has a name that is not in the order',
    'sandbox/other/unknown.ts',
    `import { a } from '../state/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder of the sandbox imports the bff',
    'sandbox/token/bff.ts',
    `import { a } from '../../bff/clean.ts' // HERE\nexport const b = a`,
  ],
  [
    'a folder without a rule imports something',
    'extra/file.ts',
    `import { b } from '../contract/clean.ts' // HERE\nexport const a = b`,
  ],
]

export const PLANTED_IMPORTS = IMPORTS.map(
  ([title, file, source]): Violation => [title, file, source, 'plimsoll(boundaries)'],
)
