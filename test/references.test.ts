// tools/lint/references.mjs finds planted numbers, sections and links that lead nowhere, and nothing else.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from './kit/temp-folder.ts'

/** Numbers have a `_` in this file, since the check reads it too. */
const planted = (text: string) => text.replaceAll('_', '')
const FILES = {
  'docs/service.md': '# 5.3 Exchange\n<a id="8.4.2"></a>S_1 and check _2',
  'docs/security.md': '# Some attacks\nattack _7, requirement _12, L_5',
  'README.md': '[a](docs/security.md#some-attacks)\n[b](docs/b.md)\n[c](#c), [d](https://a.example)',
  'test/a.test.ts': `test('one (S_1, check _2, 5.3; RFC 6749 4.1.2)')\ntest('two (S_106, 8._5)')`,
  'src/a.ts': 'f(9.5) // (8.4.2), S256, L_5\n/** As attack _81 and S_2. */\nconst S_3 = 1',
}

test('planted faults are found, and correct references pass', () => {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), planted(text))
  }
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
  const script = resolve('tools/lint/references.mjs')
  const { stdout, status } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
  expect(stdout.trim().split('\n')).toEqual(
    [
      'src/a.ts:2 cites S_2, which docs/service.md lacks',
      'src/a.ts:2 cites attack _81, which docs/security.md lacks',
      'test/a.test.ts:2 cites S_106, which docs/service.md lacks',
      'test/a.test.ts:2 cites 8._5, which docs/service.md lacks',
      'README.md:2 links to docs/b.md, which does not exist',
      'README.md:3 links to #c, which does not exist',
    ].map(planted),
  )
  expect(status).toBe(1)
})
