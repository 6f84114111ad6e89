import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished, expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../kit/config.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Store } from '../../../src/store/store.ts'
import { type EventReader, readEvents } from '../../kit/events.ts'
import { BUSINESS, startApp, type App, STANDARD } from '../../kit/app.ts'
import { Person } from '../../kit/person.ts'
import { createTime } from '../../kit/clock.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { onCall } from '../../kit/store-methods.ts'
import { FAR_MS } from '../../kit/stores.ts'
import { told } from '../_answers.ts'
import { answerReads } from '../_signed-in.ts'

const EVENTS = '/bff/events'
const DAY_MS = 86_400_000
const DOWN = () => Promise.reject(new Problem('store_unavailable'))
/** Longer than a change takes to be seen, and longer than the time between two events. */
const A_WHILE_MS = 700

/** Opens the stream of a browser, which leaves after the test. */
async function listen(browser: Person): Promise<EventReader> {
  const reader = readEvents((await browser.fetch(EVENTS)).body)
  onTestFinished(reader.leave)
  await expect.poll(() => reader.received.length).toBe(1)
  return reader
}

const refusalOf = (browser: Person, headers = {}) => told(browser.request('GET', EVENTS, { headers }))

const newest = ({ received }: EventReader) => received.at(-1)?.data
const highOf = (reader: EventReader) => newest(reader)?.month.high
const isSignedOut = ({ received, isClosed }: EventReader) =>
  isClosed() && received.at(-1)?.event === 'session' && received.at(-1)?.data.signed_in === false

async function signedIn(fixture: App = startApp(), organization = BUSINESS) {
  const browser = fixture.browser()
  await browser.signIn(organization, organization === BUSINESS ? 'Cleo' : 'Ada')
  return { fixture, browser, events: await listen(browser) }
}

/** The watchers of the store, and what the newest of them watches. */
function countWatchers(store: Store) {
  const { watch } = store
  const open = new Set<object>()
  const counted = { watchers: () => open.size, topics: [] as string[] }
  store.watch = async (topics, onChange) => {
    const end = await watch(topics, onChange)
    open.add(end)
    counted.topics = [...topics]
    return () => {
      open.delete(end)
      end()
    }
  }
  return counted
}

test('the first snapshot comes at once, equals GET /bff/quota, and nothing is sent or repeated (8.3)', async () => {
  const { fixture, browser, events } = await signedIn()
  const sent = fixture.sent.length
  await wait(A_WHILE_MS)
  expect(events.received).toEqual([{ event: 'quota', data: await browser.quota() }])
  expect(fixture.sent).toHaveLength(sent)
})

test('the answer is a stream that no cache stores and no proxy collects (HTML 9.2.2)', async () => {
  const { browser } = await signedIn()
  const { status, headers, body } = await browser.fetch(EVENTS)
  await body?.cancel()
  const given = ['content-type', 'cache-control', 'x-accel-buffering'].map((name) => headers.get(name))
  expect([status, ...given]).toEqual([200, 'text/event-stream', 'no-store', 'no'])
  // A server of another version of HTTP has no such headers (RFC 9113 8.2.2).
  expect([headers.has('transfer-encoding'), headers.has('connection')]).toEqual([false, false])
})

test('all browsers of the organization, in any process, see what one sends, and no others do (8.3)', async () => {
  const [here, there] = twoProcesses()
  const [mine, other, another] = [await signedIn(here), await signedIn(here), await signedIn(there)]
  const stranger = await signedIn(there, STANDARD)
  const sent = [here.sent.length, there.sent.length]
  const [high, theirs] = [highOf(another.events) ?? 0, highOf(stranger.events)]
  await mine.browser.spend('/rate_limit')
  for (const { events } of [mine, other, another]) await expect.poll(() => highOf(events)).toBe(high + 1)
  await wait(A_WHILE_MS)
  expect(highOf(stranger.events)).toBe(theirs)
  expect([here.sent.length, there.sent.length]).toEqual([(sent[0] ?? 0) + 1, sent[1]])
})

test('with a new token the stream goes on with that of the new one (8.2)', async () => {
  const fixture = startApp()
  const { browser, events } = await signedIn(fixture)
  const counted = countWatchers(fixture.store)
  const before = newest(events)?.token
  fixture.advance(3_600_000)
  await browser.spend('/rate_limit')
  expect(fixture.tokenRequests()).toHaveLength(2)
  await expect.poll(() => newest(events)?.token).not.toBe(before)
  await expect.poll(() => newest(events)?.read.known).toBe('measured')
  const after = newest(events)?.token
  expect(counted.topics).toContain(`token ${after}`)
  // With new topics it reads once more.
  await wait(A_WHILE_MS)
  const { version = 0 } = newest(events) ?? {}
  await fixture.store.changeNote(`token ${before}`, () => ({}), FAR_MS)
  await wait(A_WHILE_MS)
  expect(newest(events)?.version).toBe(version)
  await fixture.store.changeNote(`token ${after}`, () => ({}), fixture.now() + DAY_MS)
  await expect.poll(() => newest(events)?.version).toBeGreaterThan(version)
})

test('a session that is proven while its stream is open goes on with its organization (8.3)', async () => {
  const fixture = startApp()
  answerReads(fixture, () => new Response('', { status: 500 }))
  const { browser, events } = await signedIn(fixture)
  fixture.intercept(undefined)
  const other = await signedIn(fixture)
  expect([highOf(events), highOf(other.events)]).toEqual([2, 2])
  await browser.spend(`/organizations/${BUSINESS}`)
  await expect.poll(() => highOf(events)).toBe(5)
  await other.browser.spend(`/organizations/${BUSINESS}`)
  await expect.poll(() => highOf(events)).toBe(6)
})

test.each<[string, (browser: Person, fixture: App) => Promise<unknown>]>([
  ['its browser signs out', (browser) => browser.signOut()],
  ['it is ended through another process', (browser, fixture) => throughAnother(browser, fixture).signOut()],
  ['its browser signs in again', (browser) => browser.signIn(BUSINESS, 'Cleo')],
])('when %s the stream reports the end, and closes (ASVS 7.4.1, attack 27)', async (_, end) => {
  const [here, there] = twoProcesses()
  const { browser, events } = await signedIn(here)
  await end(browser, there)
  await expect.poll(() => isSignedOut(events)).toBe(true)
})

test('when two streams are read together, that of an ended session closes, the other stays (ASVS 7.4.1)', async () => {
  const fixture = startApp()
  const calls: (() => void)[] = []
  fixture.store.watch = async (_, onChange) => {
    calls.push(onChange)
    return () => {}
  }
  const [one, other] = [await signedIn(fixture), await signedIn(fixture)]
  await one.browser.signOut()
  await other.browser.spend('/rate_limit')
  for (const call of calls) call()
  await expect.poll(() => isSignedOut(one.events)).toBe(true)
  await expect.poll(() => other.events.received.length).toBe(2)
  expect(other.events.isClosed()).toBe(false)
})

test('an open page is use: forty days later its session is open, after ninety it has ended (ASVS 7.3)', async () => {
  const { fixture, browser, events } = await signedIn()
  for (let day = 1; day <= 40; day += 20) {
    const seen = events.received.length
    fixture.advance(20 * DAY_MS)
    await expect.poll(() => events.received.length).toBeGreaterThan(seen)
  }
  expect((await browser.quota()).month).toBeDefined()
  expect(events.isClosed()).toBe(false)
  fixture.advance(50 * DAY_MS)
  await expect.poll(() => isSignedOut(events)).toBe(true)
})

test('the end of a session is reported while no quota can be read (ASVS 7.3.1)', async () => {
  const { fixture, events } = await signedIn()
  fixture.store.readNotes = DOWN
  fixture.advance(30 * DAY_MS)
  await expect.poll(() => isSignedOut(events)).toBe(true)
})

test('without a session, or with an unknown cookie, there is no stream (RFC 9110 15.5.2, attack 26)', async () => {
  const fixture = startApp()
  const { browser } = await signedIn(fixture)
  const cookie = browser.cookies.get(SESSION_COOKIE) ?? ''
  const replayed = { Cookie: `${SESSION_COOKIE}=${cookie}` }
  expect(await refusalOf(fixture.browser())).toBe('401 signed_out')
  await browser.signOut()
  expect(await refusalOf(fixture.browser(), replayed)).toBe('401 signed_out')
  for (let guess = 0; guess < 99; guess += 1) await refusalOf(fixture.browser(), replayed)
  expect(await refusalOf(fixture.browser(), replayed)).toBe('429 too_many_attempts')
})

test('a stream that the store fails at the start is 503, and leaves nothing (attack 72)', async () => {
  const { fixture, browser } = await signedIn()
  const works = { ...fixture.store }
  for (const method of ['readVersion', 'watch', 'readSession', 'readNotes'] as const) {
    Object.assign(fixture.store, { [method]: DOWN })
    expect([method, await refusalOf(browser)]).toEqual([method, '503 store_unavailable'])
    Object.assign(fixture.store, works)
  }
  // The refused streams have left nothing: all places except one are free.
  const opened = await Promise.all(Array.from({ length: 20 }, () => browser.fetch(EVENTS)))
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(19)
})

const READS = ['readSessionVersions', 'readSession', 'countByKind'] as const
test.each(READS)('while %s fails a stream stays open, and goes on later (attack 72)', async (method) => {
  const [here, there] = twoProcesses()
  let id = ''
  onCall(there.store, 'writeSession', (name) => (id = name))
  const { browser, events } = await signedIn(there)
  const { version = 0 } = newest(events) ?? {}
  const session = await here.store.readSession(id)
  const works = there.store[method]
  Object.assign(there.store, { [method]: DOWN })
  if (session !== undefined) await here.store.writeSession(id, session, session.version)
  await throughAnother(browser, here).spend(`/organizations/${BUSINESS}`)
  await wait(A_WHILE_MS)
  expect([events.received.length, events.isClosed()]).toEqual([1, false])
  Object.assign(there.store, { [method]: works })
  await expect.poll(() => newest(events)?.version).toBeGreaterThan(version)
})

test('a defect ends the stream, and is in the log (ASVS 16.5.1)', async () => {
  const { fixture, browser, events } = await signedIn()
  fixture.store.readVersion = () => Promise.reject(new TypeError('canary of a defect'))
  await browser.spend('/rate_limit')
  await expect.poll(events.isClosed).toBe(true)
  expect(events.received).toHaveLength(1)
  expect(fixture.log.at(-1)).toMatchObject({
    level: 'error',
    event: 'problem',
    code: 'unknown',
    cause: expect.stringContaining('canary of a defect'),
    request_id: expect.any(String),
  })
})

test('a stop ends the streams, also one that is opened then, and waits for what they read (attack 73)', async () => {
  const { fixture, browser, events } = await signedIn()
  const { readVersion } = fixture.store
  let isReading = false
  fixture.store.readVersion = async () => {
    isReading = true
    await wait(100)
    isReading = false
    return readVersion()
  }
  await fixture.store.changeNote(`organization ${BUSINESS}`, () => ({}), fixture.now() + DAY_MS)
  await expect.poll(() => isReading).toBe(true)
  await fixture.bff.drain()
  expect(isReading).toBe(false)
  for (const { isClosed } of [events, readEvents((await browser.fetch(EVENTS)).body)])
    await expect.poll(isClosed).toBe(true)
})

test('a stream ended by its browser or a sign-out watches nothing and has no place (attack 71)', async () => {
  const fixture = startApp()
  const counted = countWatchers(fixture.store)
  const { browser, events } = await signedIn(fixture)
  expect(counted.watchers()).toBe(1)
  await events.leave()
  expect(counted.watchers()).toBe(0)
  const other = await listen(browser)
  await browser.signOut()
  await expect.poll(other.isClosed).toBe(true)
  expect(counted.watchers()).toBe(0)
  expect(fixture.log.filter(({ level }) => level !== 'info')).toEqual([])
})

test('a browser that goes while its stream begins to watch leaves nothing (attack 71)', async () => {
  const fixture = startApp()
  const counted = countWatchers(fixture.store)
  const { browser, events } = await signedIn(fixture)
  expect(counted.watchers()).toBe(1)
  const { watch } = fixture.store
  let begin: (() => void) | undefined
  fixture.store.watch = async (...asked) => {
    await new Promise<void>((resolve) => (begin = resolve))
    return watch(...asked)
  }
  fixture.advance(3_600_000)
  await browser.spend('/rate_limit')
  await expect.poll(() => begin).toBeDefined()
  await events.leave()
  begin?.()
  await wait(50)
  expect(counted.watchers()).toBe(0)
})

test('the connection of a browser that takes nothing is closed (attack 71)', async () => {
  const time = createTime()
  const fixture = startApp({ time })
  let closed = 0
  const outgoing = { destroy: () => (closed += 1) }
  const fetch: App['bff']['fetch'] = (request, of) => fixture.bff.fetch(request, { ...of, outgoing })
  const browser = new Person({ ...fixture, bff: { fetch } })
  await browser.signIn()
  expect((await browser.fetch(EVENTS)).status).toBe(200)
  await time.during(() => time.wait(14_000))
  expect(closed).toBe(0)
  await time.during(() => time.wait(2000))
  expect(closed).toBe(1)
})
