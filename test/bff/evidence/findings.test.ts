import { expect, test } from 'vitest'
import {
  addReset,
  changeServiceNote,
  NO_EVIDENCE,
  readServiceNote,
  type ServiceNote,
  type StoredStep,
} from '../../../src/bff/evidence/note.ts'
import { assumptionsOf, findingsOf, readAssumptions } from '../../../src/bff/evidence/findings.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { type FindingName, FINDINGS } from '../../../src/contract/evidence.ts'
import { createContext, START_MS } from '../_context.ts'
import { SERVICE } from '../../kit/config.ts'

const AT = new Date(START_MS).toISOString()
const note = (known: Partial<ServiceNote>): ServiceNote => ({ ...NO_EVIDENCE, ...known })
const finding = (known: ServiceNote, wanted: FindingName) =>
  findingsOf(known).find(({ name }) => name === wanted)

const NONE = { 'token.code': 0, 'token.refresh': 0, rate_limit: 0, failed: 0 }
/** A rise of the count, and the requests sent besides two reads. All surely count, unless `sure` is false. */
const step = (
  rise: number,
  weighed: Partial<typeof NONE>,
  { sure = true, atMs = START_MS } = {},
): StoredStep => {
  const sent = { certain: 2, weighed: { ...NONE, ...weighed } }
  return { rise, sent, sure: sure ? sent : { certain: 0, weighed: NONE }, unsure: 0, source: 'a', atMs }
}

test('without evidence there is a row for each finding, with what is assumed and no value (8.3)', () => {
  const findings = findingsOf(NO_EVIDENCE)
  expect(findings.map(({ name }) => name)).toEqual(FINDINGS)
  expect(findings.map(({ assumed }) => assumed)).toEqual([
    ...Array(4).fill('unknown'),
    'UTC, Pacific/Kiritimati, Etc/GMT+12',
  ])
  for (const one of findings)
    expect(one).toMatchObject({ in_use: false, confirmable: false, observations: [] })
  expect(findings.some((one) => 'value' in one)).toBe(false)
  expect(assumptionsOf(NO_EVIDENCE)).toEqual(ASSUMED)
})

test('zones that are left are in use, with when the month was reset (8.3)', () => {
  const resets = [{ afterMs: START_MS, byMs: START_MS + 60_000 }]
  const known = note({ resets, zones: ['Asia/Tokyo', 'Australia/Darwin'] })
  expect(finding(known, 'month_zones')).toMatchObject({
    assumed: 'UTC, Pacific/Kiritimati, Etc/GMT+12',
    value: 'Asia/Tokyo, Australia/Darwin',
    in_use: true,
    observations: [
      { code: 'month_reset', after: '2026-11-21T06:00:00.000Z', by: '2026-11-21T06:01:00.000Z' },
    ],
  })
  expect(assumptionsOf(known).month_zones).toEqual(['Asia/Tokyo', 'Australia/Darwin'])
  expect(finding(note({ resets }), 'month_zones')).toMatchObject({ in_use: false, observations: [{}] })
})

test.each<[FindingName, Partial<typeof NONE>, (counts: typeof ASSUMED) => unknown]>([
  ['token_code_counts', { 'token.code': 3 }, ({ counts_in_month }) => counts_in_month['token.code']],
  ['token_refresh_counts', { 'token.refresh': 3 }, ({ counts_in_month }) => counts_in_month['token.refresh']],
  ['rate_limit_counts', { rate_limit: 3 }, ({ counts_in_month }) => counts_in_month.rate_limit],
])('%s is no where the count rose by less, and the code goes by it (8.3)', (name, sent, counted) => {
  const known = note({ steps: [step(4, sent)] })
  expect(finding(known, name)).toMatchObject({
    assumed: 'unknown',
    value: 'no',
    in_use: true,
    confirmable: false,
    observations: [{ at: AT, code: 'rose_by_less' }],
  })
  expect(counted(assumptionsOf(known))).toBe('no')
})

test('a person confirms that failed requests do not count, as other failures may count (8.3)', () => {
  const known = note({ steps: [step(4, { failed: 3 })] })
  expect(finding(known, 'failed_requests_count')).toMatchObject({
    value: 'no',
    in_use: false,
    confirmable: true,
  })
  expect(assumptionsOf(known)).toEqual(ASSUMED)
  const confirmed = note({ ...known, confirmed: { failed: { counts: false, atMs: START_MS } } })
  expect(assumptionsOf(confirmed).failed_requests_count_in_month).toBe('no')
})

test.each([
  [5, 'yes', 'rose_with'],
  [2, 'no', 'rose_without'],
] as const)('a rise of just %d fits %s alone, which a person can confirm (8.3)', (rise, value, code) => {
  const known = note({ steps: [step(rise, { 'token.refresh': 3 }, { sure: false })] })
  expect(finding(known, 'token_refresh_counts')).toMatchObject({
    value,
    in_use: false,
    confirmable: true,
    observations: [{ code }],
  })
  expect(assumptionsOf(known)).toEqual(ASSUMED)
  const counts = value === 'yes'
  const confirmed = note({ ...known, confirmed: { 'token.refresh': { counts, atMs: START_MS } } })
  expect(finding(confirmed, 'token_refresh_counts')).toMatchObject({
    value,
    in_use: true,
    confirmable: false,
  })
  expect(finding(confirmed, 'token_refresh_counts')?.observations[0]?.code).toBe('confirmed')
  expect(assumptionsOf(confirmed).counts_in_month['token.refresh']).toBe(value)
})

test('a confirmed value that later evidence excludes is not used, nor is that evidence (8.3)', () => {
  const confirmed = { 'token.refresh': { counts: true, atMs: START_MS } }
  const known = note({ steps: [step(4, { 'token.refresh': 3 })], confirmed })
  expect(finding(known, 'token_refresh_counts')).not.toHaveProperty('value')
  expect(finding(known, 'token_refresh_counts')).toMatchObject({ in_use: false, observations: [{}, {}] })
  expect(assumptionsOf(known)).toEqual(ASSUMED)
})

test('a forgotten finding does not return from the same readings, and the others stay (8.3)', () => {
  const steps = [step(4, { 'token.refresh': 3 }), step(2, { rate_limit: 1 })]
  const known = note({ steps, forgotten: { 'token.refresh': START_MS } })
  expect(finding(known, 'token_refresh_counts')).not.toHaveProperty('value')
  expect(finding(known, 'rate_limit_counts')).toMatchObject({ value: 'no', in_use: true })
  const later = note({ ...known, steps: [...steps, step(4, { 'token.refresh': 3 }, { atMs: START_MS + 1 })] })
  expect(finding(later, 'token_refresh_counts')).toMatchObject({ value: 'no', in_use: true })
})

test('requests that are forgotten leave open what else raised the count (8.3)', () => {
  const steps = [step(4, { 'token.refresh': 1, rate_limit: 1 }, { sure: false })]
  expect(finding(note({ steps }), 'rate_limit_counts')).toMatchObject({ value: 'yes' })
  const known = note({ steps: [step(3, { 'token.refresh': 1, rate_limit: 1 }, { sure: false })] })
  expect(finding(known, 'rate_limit_counts')).not.toHaveProperty('value')
  const forgotten = note({ ...known, forgotten: { 'token.refresh': START_MS } })
  const more = note({ steps, forgotten: { 'token.refresh': START_MS } })
  expect(finding(more, 'rate_limit_counts')).toMatchObject({ value: 'yes' })
  expect(finding(forgotten, 'rate_limit_counts')).not.toHaveProperty('value')
})

test('a confirmed value that later readings leave open is shown with the confirmation alone (8.3)', () => {
  const confirmed = { 'token.refresh': { counts: true, atMs: START_MS } }
  const known = note({ steps: [step(9, { 'token.refresh': 3 })], confirmed })
  expect(finding(known, 'token_refresh_counts')).toMatchObject({
    value: 'yes',
    in_use: true,
    observations: [{ code: 'confirmed' }],
  })
})

test('what the operator states is in use, and the evidence against it is shown beside it (8.3)', () => {
  const known = note({ steps: [step(4, { 'token.refresh': 3 })], zones: ['UTC'] })
  const stated = { token_refresh_counts: 'yes', month_zones: 'Asia/Tokyo' }
  const found = findingsOf(known, stated)
  expect(found.find(({ name }) => name === 'token_refresh_counts')).toMatchObject({
    stated: 'yes',
    value: 'no',
    in_use: false,
    observations: [{ code: 'rose_by_less' }],
  })
  expect(found.filter((one) => one.stated !== undefined)).toHaveLength(2)
  const { counts_in_month, month_zones } = assumptionsOf(known, stated)
  expect([counts_in_month['token.refresh'], month_zones]).toEqual(['yes', ['Asia/Tokyo']])
})

test('at most five observations are shown, of readings between which one was sent (8.3)', () => {
  const steps = Array.from({ length: 9 }, (_, index) =>
    step(4, { rate_limit: 3 }, { atMs: START_MS - index }),
  )
  expect(finding(note({ steps }), 'rate_limit_counts')?.observations.length).toBeLessThanOrEqual(5)
  const two = [step(4, { rate_limit: 3 }), step(2, { 'token.code': 1 })]
  expect(finding(note({ steps: two }), 'rate_limit_counts')?.observations).toHaveLength(1)
})

test('evidence is of one service, decides what is assumed, and lasts over a year without a change (8.3)', async () => {
  const { context } = createContext()
  expect(await readAssumptions(context)).toEqual(ASSUMED)
  await changeServiceNote(context, () => note({ zones: ['Asia/Tokyo'] }))
  expect(await context.store.readNotes([`service ${SERVICE}`])).toEqual([expect.anything()])
  const elsewhere = { ...context, config: { ...context.config, serviceUrl: 'https://other.example' } }
  expect(await readServiceNote(elsewhere)).toEqual(NO_EVIDENCE)
  await context.store.sweep(START_MS + 399 * 86_400_000)
  expect(await readAssumptions(context)).toEqual({ ...ASSUMED, month_zones: ['Asia/Tokyo'] })
  await context.store.sweep(START_MS + 400 * 86_400_000)
  expect(await readServiceNote(context)).toEqual(NO_EVIDENCE)
})

const reset = (after: string, by: string) => ({ afterMs: Date.parse(after), byMs: Date.parse(by) })

test('a reset that any zone can have leaves every zone, and none is stored (8.3)', async () => {
  const { context } = createContext()
  const wide = reset('2026-11-29T00:00Z', '2026-12-02T00:00Z')
  await addReset(context, wide)
  expect(await readServiceNote(context)).toEqual({ ...NO_EVIDENCE, resets: [wide] })
})

test('resets that contradict each other are stored, and every zone is a candidate again (8.3)', async () => {
  const { context } = createContext()
  await addReset(context, reset('2026-11-30T14:58Z', '2026-11-30T15:02Z'))
  expect((await readAssumptions(context)).month_zones).toEqual(['Asia/Tokyo'])
  await addReset(context, reset('2026-12-31T23:58Z', '2027-01-01T00:02Z'))
  expect(await readServiceNote(context)).toEqual({
    ...NO_EVIDENCE,
    resets: [
      reset('2026-12-31T23:58Z', '2027-01-01T00:02Z'),
      reset('2026-11-30T14:58Z', '2026-11-30T15:02Z'),
    ],
  })
  expect((await readAssumptions(context)).month_zones).toEqual(ASSUMED.month_zones)
})

test('the five newest resets count (8.3)', async () => {
  const { context } = createContext()
  await addReset(context, reset('2026-11-30T14:58Z', '2026-11-30T15:02Z'))
  for (let month = 0; month < 5; month += 1) {
    const utc = Date.UTC(2027, month, 1)
    await addReset(context, { afterMs: utc - 120_000, byMs: utc + 120_000 })
  }
  expect((await readServiceNote(context)).resets).toHaveLength(5)
  expect((await readAssumptions(context)).month_zones[0]).toBe('UTC')
})
