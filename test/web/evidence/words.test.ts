import { expect, test } from 'vitest'
import { FINDINGS, type Finding, OBSERVATIONS } from '../../../src/contract/evidence.ts'
import { findingState, observationWords, valueWords } from '../../../src/web/evidence/words.ts'
import { sidePagesText } from '../../../src/web/text/text.ts'

const finding = (changes: Partial<Finding>): Finding => ({
  name: 'month_status',
  assumed: '429',
  in_use: false,
  confirmable: false,
  observations: [],
  ...changes,
})

test.each([
  [{ value: '402', in_use: true }, 'in_use'],
  [{ value: '402', confirmable: true }, 'fits'],
  [{ value: '402' }, 'open'],
  [{ name: 'refresh_rotates', value: 'yes' }, 'unused'],
] as const)('a finding with %j is %s', (changes, state) => {
  expect(findingState(finding(changes))).toBe(state)
})

test('each question that the document leaves open is asked once, in words', () => {
  const { questions } = sidePagesText().learnt
  expect(Object.keys(questions).toSorted()).toEqual(FINDINGS.toSorted())
  expect(new Set(Object.values(questions)).size).toBe(FINDINGS.length)
})

test.each([
  ['402', '402'],
  ['class_of_limit', 'the class that has the limit they name'],
  ['a, b, c, d, e', 'a, b, c, d, e'],
  ['a, b, c, d, e, f', 'a, b, c, d and 2 more'],
])('the value %s is shown as %s', (value, words) => {
  expect(valueWords(value)).toBe(words)
})

test('each observation is a sentence of its own, with its value or its times', () => {
  const at = '2026-11-21T06:00:00Z'
  const sentences = OBSERVATIONS.map((code) =>
    observationWords({ at, code, value: 'update', after: at, by: at }),
  )
  expect(sentences.filter((sentence) => !sentence.endsWith('.'))).toEqual([])
  expect(new Set(sentences).size).toBe(OBSERVATIONS.length)
  expect(observationWords({ at, code: 'headers_described', value: 'update' })).toContain('described updates')
  expect(observationWords({ at, code: 'status_over_the_month', value: '402' })).toContain('answered 402')
  expect(observationWords({ at, code: 'month_reset', after: at, by: at })).toContain(
    'after Nov 21, 2026, 3:00 PM',
  )
})
