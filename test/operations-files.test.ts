// The files of docs/operations: each alert rule fires in its test, and all metrics exist.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Metrics } from '../src/serve/observe/metrics.ts'
import { needPromtool, promtool } from './_promtool.ts'

const FOLDER = 'docs/operations'
const RULES = readFileSync(`${FOLDER}/plimsoll.rules.yml`, 'utf8')
const RULE_TESTS = readFileSync(`${FOLDER}/plimsoll.rules.test.yml`, 'utf8')
const DASHBOARD = readFileSync(`${FOLDER}/plimsoll.dashboard.json`, 'utf8')
const DOCUMENT = readFileSync('docs/operations.md', 'utf8')

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}
const expressions = (): string[] =>
  (JSON.parse(DASHBOARD) as Dashboard).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** The names of the metrics in the text, without the endings of a histogram. */
const namesIn = (text: string): string[] => [
  ...new Set(
    (text.match(/\b(plimsoll|process|nodejs)_[a-z0-9_]+/g) ?? []).map((name) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    ),
  ),
]
const alerts = (text: string): string[] =>
  [...text.matchAll(/^\s+- alert: (\w+)/gm)].map(([, name]) => name ?? '')

test('promtool accepts the alert rules (`apt-get install prometheus`)', (context) => {
  needPromtool(context)
  const { status, said } = promtool(['check', 'rules', 'plimsoll.rules.yml'], { cwd: FOLDER })
  expect([status, said]).toEqual([0, expect.stringContaining(`SUCCESS: ${alerts(RULES).length} rules found`)])
})

test('each alert is silent first, and fires in its test (`apt-get install prometheus`)', (context) => {
  const shown = [
    ...RULE_TESTS.matchAll(/- name: (\w+)\n(?:(?! {2}- name)[^])*?exp_alerts:\n {10}- exp_labels/g),
  ]
  expect(shown.map(([, name]) => name)).toEqual(alerts(RULES))
  expect(RULE_TESTS.match(/eval_time: 0m\n\s+alertname: \w+\n\s+- eval_time/g)).toHaveLength(
    alerts(RULES).length,
  )
  needPromtool(context)
  const { status, said } = promtool(['test', 'rules', 'plimsoll.rules.test.yml'], { cwd: FOLDER })
  expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('promtool accepts each expression of the dashboard (`apt-get install prometheus`)', (context) => {
  needPromtool(context)
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const rules = expressions().map((expr, at) => ({
    record: `panel_${at}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  // JSON is YAML.
  writeFileSync(join(folder, 'panels.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  const { status, said } = promtool(['check', 'rules', 'panels.yml'], { cwd: folder })
  expect([status, said]).toEqual([0, expect.stringContaining(`SUCCESS: ${rules.length} rules found`)])
  expect(rules.length).toBeGreaterThan(15)
})

test('rules, dashboard and document name only existing metrics; the document names all and every alert', async () => {
  const existing = namesIn(await new Metrics().register.metrics())
  for (const text of [RULES, ...expressions(), DOCUMENT])
    expect(namesIn(text).filter((name) => !existing.includes(name))).toEqual([])
  const ours = existing.filter((name) => name.startsWith('plimsoll_'))
  expect(ours.length).toBeGreaterThan(10)
  expect(ours.filter((name) => !DOCUMENT.includes(`\`${name}\``))).toEqual([])
  expect(ours.filter((name) => !DASHBOARD.includes(name))).toEqual([])
  expect(alerts(RULES).filter((name) => !DOCUMENT.includes(`\`${name}\``))).toEqual([])
})
