// Each lint rule catches a violation planted in a tree laid out like ours, also in subfolders.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLEAN, VIOLATIONS } from './_planted.ts'

const found = new Map<string, { line: number; rule: string }[]>()
const root = mkdtempSync(join(tmpdir(), 'plimsoll-rules-'))
afterAll(() => rmSync(root, { recursive: true }))

beforeAll(() => {
  for (const ours of ['.oxlintrc.json', 'tools/lint', 'tsconfig.json', 'package.json'])
    cpSync(ours, join(root, ours), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const planted = VIOLATIONS.map(([file, source]) => [file, source] as const)
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

test.each(VIOLATIONS)('oxlint catches src/%s: %s', (file, source, rule) => {
  const marked = source.split('\n').findIndex((text) => text.includes('HERE')) + 1
  const line = Math.max(marked, 1)
  expect(found.get(file)).toEqual([{ line, rule }])
})

test.each(Object.keys(CLEAN))('oxlint has nothing against src/%s', (file) => {
  expect(found.get(file)).toBeUndefined()
})
