import { expect, test } from 'vitest'
import { fault, formatCounts, formatFinding, ok, warning, when } from '../../../src/serve/doctor/finding.ts'

test('a finding is a line, with what to do on the next one, and the report ends with the counts', () => {
  const findings = [
    ok('disk', '9 MiB'),
    warning('https', 'ends soon', 'renew it'),
    fault('store', 'is gone', 'put it back'),
  ]
  expect(findings.map(formatFinding).join('') + formatCounts(findings)).toBe(
    [
      'ok       disk         9 MiB',
      'warning  https        ends soon',
      '                      -> renew it',
      'fault    store        is gone',
      '                      -> put it back',
      '1 ok, 1 warnings, 1 faults',
      '',
    ].join('\n'),
  )
  expect([when(false, ok('a', 'b')), when(true, ok('a', 'b'))]).toEqual([[], [ok('a', 'b')]])
})
