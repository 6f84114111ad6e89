import { expect, test, vi } from 'vitest'
import { alertRecordOf, storeAlertRecord } from '../../../src/web/alerts/levels.ts'

const RECORD = { resetsAtMs: 1_795_000_000_000, done: [50], blocked: false }

test('a record is of one organization, until it is removed', () => {
  expect(alertRecordOf('1001')).toBeUndefined()
  expect(storeAlertRecord('1001', RECORD)).toBe(true)
  expect(alertRecordOf('1001')).toEqual(RECORD)
  expect(alertRecordOf('2002')).toBeUndefined()
  expect(storeAlertRecord('1001', undefined)).toBe(true)
  expect(alertRecordOf('1001')).toBeUndefined()
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"resetsAtMs":1,"done":[50]}',
  '{"resetsAtMs":1,"done":["a"],"blocked":true}',
])('%j in the storage is no record', (value) => {
  localStorage.setItem('plimsoll.alerts.1001', value)
  expect(alertRecordOf('1001')).toBeUndefined()
})

test('a browser that forbids the storage has no record, and no error', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(storeAlertRecord('1001', RECORD)).toBe(false)
  expect(alertRecordOf('1001')).toBeUndefined()
})
