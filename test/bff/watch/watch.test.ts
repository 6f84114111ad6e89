import { expect, test } from 'vitest'
import type { LedgerDays } from '../../../src/contract/ledger.ts'
import type { QuotaSnapshot } from '../../../src/contract/quota.ts'
import type { ScriptQuota } from '../../../src/contract/watch.ts'
import type { MadeLink, WatchLinks } from '../../../src/contract/watch-links.ts'
import { BUSINESS, startApp, STANDARD } from '../../kit/app.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { byScript, linked, listen, makeLink, open, quotaOf, signedInMaker } from './_links.ts'

const PATH = `/organizations/${STANDARD}`
const DAY_MS = 86_400_000
const listed = async (browser: Parameters<typeof makeLink>[0]) =>
  ((await browser.request<unknown>('GET', '/bff/watch-links')).body as WatchLinks).links

test('a link shows the month and the minute to a browser that is not signed in, and nothing is sent (8)', async () => {
  const fixture = startApp()
  const maker = await signedInMaker(fixture)
  await maker.spend(PATH)
  const sent = fixture.sent.length
  const link = await makeLink(maker)
  const viewer = fixture.browser()
  const opened = await open(viewer, link)
  expect([opened.status, opened.body]).toEqual([200, { name: 'Kitchen', ends_in: 2_592_000 }])
  const again = await viewer.request<unknown>('GET', `/watch/session/${link.id}`)
  expect(again.body).toEqual(opened.body)
  const { status, body } = await quotaOf(viewer, link.id)
  const own = await maker.quota()
  expect(status).toBe(200)
  expect(Object.keys(body).toSorted()).toEqual(['month', 'pauses', 'read', 'token', 'update', 'version'])
  expect(body.month).toEqual(own.month)
  expect(body.read).toEqual(own.read)
  expect(body.read.known).toBe('measured')
  const days = await viewer.request<unknown>('GET', `/watch/days/${link.id}`)
  const ownDays = await maker.request<LedgerDays>('GET', '/bff/ledger/days')
  expect(days.body).toEqual(ownDays.body)
  expect(fixture.sent).toHaveLength(sent)
})

test('a link that is used while the clock of the host is ten days ahead takes no other link', async () => {
  const fixture = startApp()
  const maker = await signedInMaker(fixture)
  const short = await makeLink(maker, { name: 'Wall', days: 2 })
  const long = await makeLink(maker, { name: 'Kitchen', days: 30 })
  const viewer = fixture.browser()
  fixture.advance(10 * DAY_MS)
  expect([(await open(viewer, short)).status, (await open(viewer, long)).status]).toEqual([401, 200])
  fixture.advance(-10 * DAY_MS)
  expect((await open(viewer, short)).status).toBe(200)
})

test('a link that has ended is neither listed nor withdrawn, like one that never existed (L7)', async () => {
  const { fixture, maker, link } = await linked({ name: 'Wall', days: 1 })
  fixture.advance(DAY_MS)
  expect(await listed(maker)).toEqual([])
  for (const id of [link.id, 'x'.repeat(16), '%00'])
    expect((await maker.request('DELETE', `/bff/watch-links/${id}`)).status).toBe(404)
})

test('a link lives on without the session that made it, over a restart, until it ends (L7)', async () => {
  const { fixture, maker, link, viewer } = await linked({ name: 'Wall', days: 2 })
  await open(viewer, link)
  await maker.signOut()
  const restarted = fixture.another()
  const again = throughAnother(viewer, restarted)
  fixture.advance(2 * DAY_MS - 1)
  expect((await quotaOf(again, link.id)).status).toBe(200)
  fixture.advance(1)
  again.cookies.set(`plimsoll-http-3000-watch-${link.id}`, [...viewer.cookies.values()][0] ?? '')
  expect(await quotaOf(again, link.id)).toMatchObject({
    status: 401,
    body: { code: 'signed_out', fault: 'link_ended' },
  })
  expect((await open(again, link)).status).toBe(401)
})

test('the organization lists its links with their last use, and no answer repeats the secret', async () => {
  const fixture = startApp()
  const maker = await signedInMaker(fixture)
  const first = await makeLink(maker)
  fixture.advance(1)
  const second = await makeLink(maker, { name: 'Script', days: 365 })
  const colleague = await signedInMaker(fixture, STANDARD, 'Ben')
  await byScript(fixture, second.secret)
  const { secret: _, ...shown } = first
  expect(await listed(colleague)).toEqual([
    expect.objectContaining({ name: 'Script', last_use: { day: '2026-11-21', browser: 'Another browser' } }),
    shown,
  ])
  expect(await listed(await signedInMaker(fixture, BUSINESS, 'Cleo'))).toEqual([])
})

test('a name that another open link has is refused, until that link is withdrawn (docs/watch.md)', async () => {
  const fixture = startApp()
  const [maker, colleague] = [await signedInMaker(fixture), await signedInMaker(fixture, STANDARD, 'Ben')]
  const { id } = await makeLink(maker)
  const again = { json: { name: ' Kitchen' } }
  expect(await colleague.request('POST', '/bff/watch-links', again)).toMatchObject({
    status: 400,
    body: { fault: 'name_taken' },
  })
  await makeLink(await signedInMaker(fixture, BUSINESS, 'Cleo'))
  await colleague.request('DELETE', `/bff/watch-links/${id}`)
  await makeLink(colleague)
  expect(await listed(maker)).toMatchObject([{ name: 'Kitchen', made_by: 'Another browser' }])
})

test('a page that stays open is the last use of each day, and sends nothing (docs/watch.md, 8.3)', async () => {
  const { fixture, maker, link, viewer } = await linked()
  await listen(viewer, link)
  const sent = fixture.sent.length
  const lastDay = async () => (await listed(maker))[0]?.last_use?.day
  expect(await lastDay()).toBe('2026-11-21')
  for (const day of ['2026-11-22', '2026-11-23']) {
    fixture.advance(DAY_MS)
    await expect.poll(lastDay).toBe(day)
  }
  expect(fixture.sent).toHaveLength(sent)
})

test('the twenty-first link of an organization is refused, and one that ended makes room (L25)', async () => {
  const fixture = startApp()
  const maker = await signedInMaker(fixture)
  for (let nth = 0; nth < 19; nth++) await makeLink(maker, { name: `Link ${nth}`, days: 30 })
  await makeLink(maker, { name: 'Short', days: 1 })
  const json = { name: 'One too many' }
  expect(await maker.request('POST', '/bff/watch-links', { json })).toMatchObject({
    status: 400,
    body: { fault: 'too_many_links' },
  })
  fixture.advance(DAY_MS)
  await makeLink(maker)
  expect(await listed(maker)).toHaveLength(20)
})

test('two processes that make links at once make twenty together (L25)', async () => {
  const [here, there] = twoProcesses()
  const [one, other] = [await signedInMaker(here), await signedInMaker(there)]
  const post = (maker: typeof one, name: string) =>
    maker.request('POST', '/bff/watch-links', { json: { name } })
  const made = await Promise.all(
    Array.from({ length: 15 }, (_, nth) => [post(one, `Here ${nth}`), post(other, `There ${nth}`)]).flat(),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(await listed(one)).toHaveLength(20)
})

test('every page of a link in every process follows a press, and ends at its withdrawal (L8)', async () => {
  const [here, there] = twoProcesses()
  const maker = await signedInMaker(here)
  const link = await makeLink(maker)
  const other = await makeLink(maker, { name: 'Stays' })
  const streams = await Promise.all(
    [here, there].flatMap((process) =>
      [link, other].map(async (of) => ({ of, reader: await listen(process.browser(), of) })),
    ),
  )
  const before = streams[0]?.reader.received[0]?.data.month.high ?? 0
  await maker.spend(PATH)
  for (const { reader } of streams) {
    await expect.poll(() => reader.received.at(-1)?.data.month.high).toBe(before + 1)
    await expect.poll(() => reader.received.at(-1)?.data.read.in_flight).toBe(0)
  }
  expect((await maker.request('DELETE', `/bff/watch-links/${link.id}`)).status).toBe(204)
  for (const { reader } of streams.filter(({ of }) => of === link)) {
    await expect.poll(reader.isClosed).toBe(true)
    expect(reader.received.at(-1)?.event).toBe('session')
  }
  for (const { reader } of streams.filter(({ of }) => of === other))
    expect([reader.isClosed(), reader.received.at(-1)?.event]).toEqual([false, 'quota'])
})

test('a script asks with the secret; the tag stays until more than the time has changed (RFC 9110 8.8)', async () => {
  const { fixture, maker, link } = await linked()
  const { secret } = link
  const first = await byScript(fixture, secret)
  expect([first.status, first.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
  expect(((await first.json()) as QuotaSnapshot).month.limit).toBe(100)
  const tag = first.headers.get('ETag') ?? ''
  expect(tag).toMatch(/^W\/"[\w-]{27}"$/)
  fixture.advance(5000)
  const same = await byScript(fixture, secret, { 'If-None-Match': tag })
  expect([same.status, same.headers.get('ETag'), await same.text()]).toEqual([304, tag, ''])
  await maker.spend(PATH)
  const changed = await byScript(fixture, secret, { 'If-None-Match': tag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('ETag')).not.toBe(tag)
})

test('a script gets what is left, and the headers alone if it asks for no more (RFC 9110 9.3.2)', async () => {
  const { fixture, maker, link } = await linked()
  const { secret } = link
  const { month, left } = (await (await byScript(fixture, secret)).json()) as ScriptQuota
  expect(left).toEqual({ low: 100 - month.high, high: 100 - month.low })
  await maker.request('POST', '/bff/readings', { json: { count: 40 } })
  expect(await (await byScript(fixture, secret)).json()).toMatchObject({ left: { low: 60, high: 60 } })
  const head = await byScript(fixture, secret, {}, 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('ETag')).toMatch(/^W\//)
})

test.each(['GET', 'HEAD'])(
  'a %s without a secret is asked for one, whoever sends it (RFC 6750 3)',
  async (method) => {
    const { bff } = startApp()
    const asked = await bff.fetch(new Request('http://localhost:3000/watch/quota', { method }))
    expect([asked.status, asked.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
  },
)

test('a script that asks too often waits; the pages of the link and other links go on (L24)', async () => {
  const { fixture, maker, link, viewer } = await linked()
  const other = await makeLink(maker, { name: 'Other' })
  await open(viewer, link)
  for (let nth = 0; nth < 120; nth++) await byScript(fixture, link.secret)
  const refused = await byScript(fixture, link.secret)
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
  expect((await quotaOf(viewer, link.id)).status).toBe(200)
  expect((await byScript(fixture, other.secret)).status).toBe(200)
  fixture.advance(60_000)
  expect((await byScript(fixture, link.secret)).status).toBe(200)
})

test.each([
  ['a made-up secret', ({ id }) => ({ id, secret: 'A'.repeat(43) })],
  ['the secret of another link', ({ id }, other) => ({ id, secret: other.secret })],
  ['the id in place of the secret', ({ id }) => ({ id, secret: id })],
  ['an empty secret', ({ id }) => ({ id, secret: '' })],
] satisfies [string, (link: MadeLink, other: MadeLink) => { id: string; secret: string }][])(
  '%s opens nothing and sets no cookie (L1, L4, RFC 6750 3.1)',
  async (_, forge) => {
    const { maker, link, viewer } = await linked()
    const other = await makeLink(maker, { name: 'Other' })
    expect(await open(viewer, forge(link, other))).toMatchObject({
      status: 401,
      body: { fault: 'link_ended' },
    })
    expect(viewer.cookies.size).toBe(0)
    expect((await quotaOf(viewer, link.id)).status).toBe(401)
  },
)

test('the cookie of a link opens no session, and a session opens no link (L18)', async () => {
  const { maker, link, viewer } = await linked()
  expect(await quotaOf(maker, link.id)).toMatchObject({ status: 401, body: { fault: 'cookie_missing' } })
  const { headers } = await open(viewer, link)
  expect(headers.get('Set-Cookie')).toMatch(
    /^plimsoll-http-3000-watch-[\w-]{16}=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  )
  expect(headers.get('Set-Cookie')).not.toContain(link.secret)
  expect((await viewer.session()).body.signed_in).toBe(false)
  expect((await viewer.request('GET', '/bff/watch-links')).status).toBe(401)
})

test('guesses of one address are limited, and another site can neither open nor read a link (L2, L15)', async () => {
  const { fixture, link } = await linked()
  const stranger = fixture.browser('198.51.100.7')
  for (let nth = 0; nth < 100; nth++) await open(stranger, { id: link.id, secret: `guess ${nth}` })
  expect((await open(stranger, link)).status).toBe(200)
  expect((await open(stranger, { id: link.id, secret: 'one more' })).status).toBe(429)
  const headers = { 'Sec-Fetch-Site': 'cross-site' }
  const json = { secret: link.secret }
  const viewer = fixture.browser()
  expect((await viewer.request('POST', `/watch/session/${link.id}`, { json, headers })).status).toBe(403)
  await open(viewer, link)
  expect((await viewer.request('GET', `/watch/quota/${link.id}`, { headers })).status).toBe(403)
})

test('a browser that opened a link sends nothing that the route for scripts reads (L16, RFC 6750 2.1)', async () => {
  const { fixture, link, viewer } = await linked()
  await open(viewer, link)
  const { status, headers, body } = await viewer.request('GET', '/watch/quota')
  expect([status, body.fault, headers.get('WWW-Authenticate')]).toEqual([401, 'link_ended', 'Bearer'])
  const preflight = await fixture.bff.fetch(
    new Request('http://localhost:3000/watch/quota', {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Headers': 'authorization' },
    }),
  )
  expect([preflight.status, preflight.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null])
})

test('a stolen database has neither the secret nor the value of a cookie (L26)', async () => {
  const { fixture, link, viewer } = await linked()
  await open(viewer, link)
  const [value = ''] = viewer.cookies.values()
  const stored = JSON.stringify(await fixture.store.listLinks(STANDARD, fixture.now()))
  expect(stored).toContain(link.id)
  expect(stored).not.toContain(link.secret)
  expect(stored).not.toContain(value)
})
