// Attacks on a watch link that the other tests of this folder do not try. docs/security.md lists them all.
import { expect, test } from 'vitest'
import { onCall } from '../../kit/store-methods.ts'
import { BUSINESS, STANDARD } from '../../kit/app.ts'
import { byScript, linked, makeLink, open, quotaOf, signedInMaker } from './_links.ts'

async function opened() {
  const made = await linked()
  await open(made.viewer, made.link)
  return made
}

test.each([
  ['GET', '/bff/quota'],
  ['GET', '/bff/ledger'],
  ['GET', '/bff/watch-links'],
  ['POST', '/bff/readings'],
  ['POST', '/bff/pairing'],
  ['GET', '/api/organizations'],
  ['GET', `/api/organizations/${STANDARD}`],
])('a watch link does not open %s %s, and sends nothing (L17, L18)', async (method, path) => {
  const { fixture, viewer } = await opened()
  const sent = fixture.sent.length
  const headers = { 'X-Plimsoll-Spend': '1' }
  expect((await viewer.request(method, path, { headers })).status).toBe(401)
  expect(fixture.sent).toHaveLength(sent)
})

test('the cookie of a withdrawn link opens none of its routes again, wherever it was copied to (L6)', async () => {
  const { fixture, maker, link, viewer } = await opened()
  const thief = fixture.another().browser()
  for (const [name, value] of viewer.cookies) thief.cookies.set(name, value)
  expect((await quotaOf(thief, link.id)).status).toBe(200)
  await maker.request('DELETE', `/bff/watch-links/${link.id}`)
  for (const route of ['session', 'quota', 'days', 'events'])
    expect((await thief.request('GET', `/watch/${route}/${link.id}`)).status).toBe(401)
  expect((await byScript(fixture, link.secret)).status).toBe(401)
})

test('a cookie that is planted under the name of another link opens neither (L5)', async () => {
  const { fixture, link, viewer } = await opened()
  const other = await makeLink(await signedInMaker(fixture, BUSINESS, 'Cleo'))
  const [value = ''] = viewer.cookies.values()
  const victim = fixture.browser()
  victim.cookies.set(`plimsoll-http-3000-watch-${other.id}`, value)
  for (const id of [other.id, link.id]) expect((await quotaOf(victim, id)).status).toBe(401)
})

test('another organization neither lists nor withdraws a link (L19)', async () => {
  const { fixture, link, viewer } = await opened()
  const cleo = await signedInMaker(fixture, BUSINESS, 'Cleo')
  expect((await cleo.request('GET', '/bff/watch-links')).body).toEqual({ links: [] })
  expect((await cleo.request('DELETE', `/bff/watch-links/${link.id}`)).status).toBe(404)
  expect((await quotaOf(viewer, link.id)).status).toBe(200)
})

test('a secret that is right up to its last character is looked up like any wrong one (L3)', async () => {
  const { fixture, link } = await opened()
  const asked: string[] = []
  onCall(fixture.store, 'readLinks', (hashes) => asked.push(...hashes))
  const last = link.secret.at(-1) === 'A' ? 'E' : 'A'
  for (const secret of [link.secret.slice(0, -1) + last, 'B'.repeat(43)])
    await open(fixture.browser(), { id: link.id, secret })
  // Each is one look-up, by a hash that has nothing in common with that of the link.
  expect(asked).toHaveLength(2)
  expect(asked.map((hash) => hash.slice(0, 16))).not.toContain(link.id)
})

test('a secret in a query, an oversized one, and one that is no text are refused unread (L23)', async () => {
  const { fixture, link } = await opened()
  const viewer = fixture.browser()
  const path = `/watch/session/${link.id}`
  const post = (json: unknown, query = '') => viewer.request('POST', path + query, { json })
  expect((await post({ secret: link.secret }, '?secret=x')).status).toBe(400)
  expect((await viewer.request('GET', '/watch/quota?secret=x')).body.fault).toBe('unknown_parameter')
  expect((await post({ secret: 'x'.repeat(20_000) })).status).toBe(413)
  expect((await post({ secret: [link.secret] })).body.fault).toBe('value_not_a_string')
  expect((await post({ secret: link.secret, days: 365 })).body.fault).toBe('unknown_member')
  expect(viewer.cookies.size).toBe(0)
})

test('no answer of a link may be cached, framed or sent on as a referrer (L10, L13, L14)', async () => {
  const { fixture, link, viewer } = await opened()
  const tag = (await byScript(fixture, link.secret)).headers.get('ETag') ?? ''
  const answers = [
    await open(viewer, link),
    await quotaOf(viewer, link.id),
    await viewer.request('GET', `/watch/days/${link.id}`),
    await byScript(fixture, link.secret, { 'If-None-Match': tag }),
    await byScript(fixture, 'x'.repeat(43)),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 304, 401])
  for (const { headers } of answers) {
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('X-Frame-Options')).toBe('DENY')
  }
})

test('the chart of a link has the counts that people read, and nothing of who read them (8.3)', async () => {
  const { fixture, maker, link, viewer } = await opened()
  await maker.request('POST', '/bff/readings', { json: { count: 40 } })
  const { body } = await viewer.request<unknown>('GET', `/watch/days/${link.id}`)
  const read_at = new Date(fixture.now()).toISOString()
  expect(body).toEqual({ days: expect.any(Array), readings: [{ count: 40, read_at }] })
})

test('the log names neither the secret nor the name of a link, in success and in failure (L12)', async () => {
  const { fixture, maker, link } = await opened()
  await makeLink(maker, { name: 'Kitchen of Aya' })
  await open(fixture.browser(), { id: link.id, secret: 'wrong' })
  await byScript(fixture, link.secret)
  // Typed over the address of a route, with an encoded `#`.
  expect((await fixture.browser().request('GET', `/watch/quota/${link.id}%23${link.secret}`)).status).toBe(
    401,
  )
  const log = JSON.stringify(fixture.log)
  for (const text of [link.secret, 'Kitchen', 'wrong']) expect(log).not.toContain(text)
})
