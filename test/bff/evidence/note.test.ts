import { expect, test } from 'vitest'
import {
  changeServiceNote,
  NO_EVIDENCE,
  readServiceNote,
  serviceNoteName,
  type ServiceNote,
} from '../../../src/bff/evidence/note.ts'
import { SERVICE } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'

const counts = {
  certain: 1,
  weighed: { 'token.code': 1, 'token.refresh': 2, rate_limit: 3, failed: 4 },
}
const FULL: ServiceNote = {
  sightings: [{ name: 'month_status', value: '403', atMs: START_MS }],
  resets: [
    { afterMs: 1, byMs: 2 },
    { afterMs: 1, byMs: 2, source: 'a' },
  ],
  zones: ['UTC'],
  steps: [{ rise: 1, sure: counts, sent: counts, unsure: 0, source: 'a', atMs: START_MS }],
  confirmed: { rate_limit: { counts: true, atMs: START_MS } },
  forgotten: { 'token.refresh': START_MS },
}

test('the note of a service is read as it was written, and is its own: one for each address (8.3)', async () => {
  const { context } = createContext()
  expect(await readServiceNote(context)).toEqual(NO_EVIDENCE)
  await changeServiceNote(context, (known) => ({ ...known, ...FULL }))
  expect(await readServiceNote(context)).toEqual(FULL)
  expect(serviceNoteName(context)).toBe(`service ${SERVICE}`)
  expect(await context.store.readNote(`service ${SERVICE}`)).toMatchObject({ value: FULL })
  const elsewhere = { ...context, config: { ...context.config, serviceUrl: 'https://other.example' } }
  expect(await readServiceNote(elsewhere)).toEqual(NO_EVIDENCE)
})

test.each<[string, object]>([
  ['a sighting of no finding', { sightings: [{ name: 'other', value: 'x', atMs: 1 }] }],
  ['a sighting without a value', { sightings: [{ name: 'month_status', atMs: 1 }] }],
  ['a reset without an end', { resets: [{ afterMs: 1 }] }],
  ['a step that rises by a fraction', { steps: [{ ...FULL.steps[0], rise: 0.5 }] }],
  ['a step with a sort less', { steps: [{ ...FULL.steps[0], sent: { certain: 1, weighed: {} } }] }],
  ['a confirmation of another sort', { confirmed: { 'api.read': { counts: true, atMs: 1 } } }],
  ['a confirmation without a time', { confirmed: { failed: { counts: true } } }],
  ['a forgotten time that is text', { forgotten: { failed: '1' } }],
  ['zones that are no names', { zones: [1] }],
  ['another member', { more: 1 }],
])('a note with %s is absent as a whole (8.3)', async (_, damaged) => {
  const { context } = createContext()
  const value = { ...FULL, ...damaged }
  await context.store.changeNote(serviceNoteName(context), () => ({ format: 1, value }), START_MS + 1000)
  expect(await readServiceNote(context)).toEqual(NO_EVIDENCE)
})

test('evidence lasts over a year without a change (8.3)', async () => {
  const { context } = createContext()
  await changeServiceNote(context, () => FULL)
  await context.store.sweep(START_MS + 399 * 86_400_000)
  expect(await readServiceNote(context)).toEqual(FULL)
  await context.store.sweep(START_MS + 400 * 86_400_000)
  expect(await readServiceNote(context)).toEqual(NO_EVIDENCE)
})
