import { expect, test } from 'vitest'
import { changeServiceNote, NO_EVIDENCE, type ServiceNote } from '../../../src/bff/evidence/note.ts'
import { type Evidence, type FindingName, FINDINGS } from '../../../src/contract/evidence.ts'
import { BUSINESS, startApp, SERVICE, signInUnproven } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { createContext } from '../_context.ts'

const PATH = '/bff/evidence'
const NONE = { 'token.code': 0, 'token.refresh': 0, rate_limit: 0, failed: 0 }
const NOTHING_SURE = { certain: 0, weighed: NONE }
const sent = { certain: 2, weighed: { ...NONE, 'token.refresh': 3 } }

/** The rise equals the requests without the refreshes: this fits, and is not certain. */
const fitting = (atMs: number): ServiceNote => ({
  ...NO_EVIDENCE,
  resets: [{ afterMs: atMs, byMs: atMs + 60_000 }],
  zones: ['Asia/Tokyo'],
  steps: [{ rise: 2, sent, sure: NOTHING_SURE, unsure: 0, source: 'a', atMs }],
})

async function signedIn(organization?: string) {
  const fixture = startApp()
  const { context } = createContext()
  const note = (known: ServiceNote) => changeServiceNote({ ...context, store: fixture.store }, () => known)
  await note(fitting(fixture.now()))
  const browser = fixture.browser()
  await browser.signIn(organization)
  return { fixture, browser, note }
}

const findings = async (browser: Person) => (await browser.request<Evidence>('GET', PATH)).body.findings
const finding = async (browser: Person, wanted: FindingName) =>
  (await findings(browser)).find(({ name }) => name === wanted)
const confirm = (browser: Person, name: string, json: unknown) =>
  browser.request('POST', `${PATH}/${name}`, { json })
const forget = (browser: Person, name: string) => browser.request('DELETE', `${PATH}/${name}`)

test('everybody at the service sees what was found out, of whom it is not, and it sends nothing (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  const other = fixture.browser()
  await other.signIn(BUSINESS)
  const before = fixture.sent.length
  expect((await findings(browser)).map(({ name }) => name)).toEqual(FINDINGS)
  expect(await findings(other)).toEqual(await findings(browser))
  expect(await findings(await signInUnproven(fixture))).toEqual(await findings(other))
  const { body } = await browser.request<Evidence>('GET', PATH)
  expect(JSON.stringify(body)).not.toMatch(/1001|source|rise|"sent"|steps/)
  expect(fixture.sent).toHaveLength(before + 2)
})

test.each([
  ['no', 2],
  ['yes', 5],
])('a person confirms the value that is shown, %s, and everybody goes by it (8.3)', async (value, rise) => {
  const { fixture, browser, note } = await signedIn()
  const steps = fitting(fixture.now()).steps.map((step) => ({ ...step, rise }))
  await note({ ...NO_EVIDENCE, steps })
  expect(await finding(browser, 'token_refresh_counts')).toMatchObject({ value, confirmable: true })
  expect((await confirm(browser, 'token_refresh_counts', { value })).status).toBe(204)
  const other = fixture.another().browser()
  await other.signIn(BUSINESS)
  expect(await finding(other, 'token_refresh_counts')).toMatchObject({
    value,
    in_use: true,
    confirmable: false,
    observations: [{ code: 'confirmed' }, {}],
  })
})

test.each<[string, string, unknown, number, string]>([
  ['another value', 'token_refresh_counts', { value: 'yes' }, 409, 'evidence_changed'],
  ['what has no value', 'rate_limit_counts', { value: 'no' }, 409, 'evidence_changed'],
  ['what is conclusive', 'month_zones', { value: 'Asia/Tokyo' }, 409, 'evidence_changed'],

  ['another member', 'token_refresh_counts', { value: 'no', sure: true }, 400, 'invalid_request'],
  ['an unknown name', 'api_counts', { value: 'no' }, 404, 'not_found'],
  ['a name of every object', 'constructor', { value: 'no' }, 404, 'not_found'],
])('a confirmation of %s changes nothing (8.3)', async (_, name, body, status, code) => {
  const { browser } = await signedIn()
  const before = await findings(browser)
  expect(await confirm(browser, name, body)).toMatchObject({ status, body: { code } })
  expect(await findings(browser)).toEqual(before)
})

test.each<FindingName>(['token_refresh_counts', 'month_zones'])(
  'a person forgets %s, alone, and it can be found out again (8.3)',
  async (name) => {
    const { fixture, browser, note } = await signedIn()
    const before = await findings(browser)
    expect((await forget(browser, name)).status).toBe(204)
    const after = await findings(browser)
    const row = after.find((one) => one.name === name)
    expect(row).toMatchObject({ in_use: false, confirmable: false, observations: [] })
    expect(row).not.toHaveProperty('value')
    expect(after.filter((one) => one.name !== name)).toEqual(before.filter((one) => one.name !== name))
    expect((await forget(browser, name)).status).toBe(204)
    await note(fitting(fixture.now() + 1))
    expect(await finding(browser, name)).toHaveProperty('value')
  },
)

test('a confirmation is forgotten too, and no other one (8.3)', async () => {
  const { fixture, browser, note } = await signedIn()
  const atMs = fixture.now()
  const confirmed = { 'token.refresh': { counts: true, atMs }, failed: { counts: false, atMs } }
  await note({ ...NO_EVIDENCE, confirmed })
  await forget(browser, 'token_refresh_counts')
  expect(await finding(browser, 'token_refresh_counts')).toMatchObject({ in_use: false, observations: [] })
  expect(await finding(browser, 'failed_requests_count')).toMatchObject({ value: 'no', in_use: true })
})

test('an unknown name is not forgotten, and writes nothing (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  expect(await forget(browser, 'toString')).toMatchObject({ status: 404 })
  expect(await finding(browser, 'month_zones')).toMatchObject({ value: 'Asia/Tokyo' })
  expect(await fixture.store.readNotes([`service ${SERVICE}`])).toEqual([expect.anything()])
})

test('what the operator states decides prices and dates, and nobody confirms against it (8.3)', async () => {
  const stated = { token_code_counts: 'no', token_refresh_counts: 'yes', month_zones: 'Asia/Tokyo' }
  const fixture = startApp({ stated })
  const browser = fixture.browser()
  await browser.signIn()
  const quota = await browser.quota()
  expect(quota).toMatchObject({
    sign_in_counts: 'no',
    refresh: { counts: 'yes' },
    month: { low: 1, high: 1 },
  })
  const { earliest, latest } = quota.month.resets_in_ms
  expect(latest).toBe(earliest)
  expect((await finding(browser, 'month_zones'))?.stated).toBe('Asia/Tokyo')
  expect(await confirm(browser, 'token_refresh_counts', { value: 'no' })).toMatchObject({ status: 409 })
})
