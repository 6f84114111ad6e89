import { expect, test } from 'vitest'
import {
  classOf,
  monthCounts,
  refusedCounts,
  servedCounts,
} from '../../../src/sandbox/limits/counting-rules.ts'
import { DEFAULT_CHOICES } from '../../../src/sandbox/choices/choices.ts'

test('GET is a read, four methods are updates, and nothing else has a class (S82, 8.2) (S85, 8.2)', () => {
  const classed = (methods: string[]) => methods.map((method) => classOf(DEFAULT_CHOICES, method))
  expect(classed(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])).toEqual([
    'read',
    'update',
    'update',
    'update',
    'update',
  ])
  expect(classed(['HEAD', 'OPTIONS', 'PROPFIND'])).toEqual([undefined, undefined, undefined])
})

test('by default served requests count in both, and refused ones in neither (8)', () => {
  const both = { minute: true, month: true }
  expect(servedCounts(DEFAULT_CHOICES, '/rate_limit')).toEqual(both)
  expect(servedCounts({ ratelimitcount: 'none' }, '/organizations')).toEqual(both)
  expect(refusedCounts(DEFAULT_CHOICES)).toEqual({ minute: false, month: false })
  expect(monthCounts(DEFAULT_CHOICES)).toEqual({ failures: true, refusedCredentials: false })
})
