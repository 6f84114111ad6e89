import { expect, test } from 'vitest'
import { rateNote } from '../../src/contract/quota.ts'
import { RATE_NOTES } from '../../src/contract/rate-note.ts'

test('every note is read from a snapshot, and no other (8.2)', () => {
  expect(RATE_NOTES.map((note) => rateNote(note))).toEqual(RATE_NOTES)
  expect(() => rateNote('another')).toThrow(TypeError)
})
