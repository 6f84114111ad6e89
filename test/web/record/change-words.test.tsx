import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ChangeWords } from '../../../src/web/record/change-words.tsx'
import { changesOf } from '../../../src/web/record/changes.ts'
import { fieldsOf } from '../../../src/web/record/fields.ts'

function words(before: object, after: object, agoMs = 60_000): string | null {
  const changes = changesOf(fieldsOf(before), fieldsOf(after))
  return render(<ChangeWords changes={changes} readAtMs={Date.now() - agoMs} />).container.textContent
}

test('what differs is listed in one sentence, by its labels', () => {
  expect(words({ plan: 1, members: [], x: 1 }, { plan: 2, members: [1], x: 1 })).toMatch(
    /^Changed since \d\d?:\d\d( [AP]M)?: Plan, Members $/,
  )
})

test('of many only some are listed', () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`n${at}`, at]))
  expect(words({}, many)).toMatch(/: N0, N1, .*, N7, 3 more $/)
})

test('where nothing differs the sentence states that', () => {
  expect(words({ a: 1 }, { a: 1 })).toMatch(/^Nothing changed since \d/)
})

test('another day is named with its day', () => {
  expect(words({ a: 1 }, { a: 1 }, 3 * 86_400_000)).toMatch(/since .*[A-Z][a-z]{2}/)
})
