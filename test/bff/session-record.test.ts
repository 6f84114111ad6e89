import { expect, test } from 'vitest'
import { createWorld, STANDARD } from '../_world.ts'

const DAY_MS = 86_400_000
const PATH = `/organizations/${STANDARD}`

async function signedIn() {
  const world = createWorld()
  const browser = world.browser()
  await browser.signIn()
  return { world, browser }
}

test('a session outlives a restart, with its copy (4)', async () => {
  const { world, browser } = await signedIn()
  const restarted = world.another()
  const same = restarted.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  expect((await same.session()).body.signed_in).toBe(true)
  expect((await same.read(PATH)).status).toBe(200)
  expect(restarted.sent).toEqual([])
})

test('a session without a visit for seven days has ended, one that is visited has not (ASVS 7.3.1)', async () => {
  const { world, browser } = await signedIn()
  for (let day = 0; day < 10; day += 1) {
    world.advance(DAY_MS)
    expect((await browser.session()).body.signed_in).toBe(true)
  }
  world.advance(7 * DAY_MS)
  expect((await browser.session()).body.signed_in).toBe(false)
})

test('however often it is visited, it ends after thirty days, and says when (ASVS 7.3.2)', async () => {
  const { world, browser } = await signedIn()
  for (let day = 0; day < 29; day += 1) {
    world.advance(DAY_MS)
    await browser.session()
  }
  expect((await browser.session()).body).toMatchObject({ ends_in: DAY_MS / 1000 })
  world.advance(DAY_MS)
  expect((await browser.session()).body.signed_in).toBe(false)
})

test('what the database holds opens nothing: neither token nor copy stands in it in the clear (5.4)', async () => {
  const world = createWorld()
  const kept: Uint8Array[] = []
  const { writeSession } = world.store
  world.store.writeSession = (id, session, seen) => {
    kept.push(session.sealed, Buffer.from(id))
    return writeSession(id, session, seen)
  }
  const browser = world.browser()
  await browser.signIn()
  const all = Buffer.concat(kept).toString('latin1')
  const bearer = world.sent[1]?.headers.get('Authorization')?.slice(7) ?? 'none'
  const [name = 'none', key = 'none'] = browser.cookies.get('__Host-plimsoll')?.split('.') ?? []
  for (const secret of [bearer, key, name, 'organization']) expect(all).not.toContain(secret)
})

test("a record that nothing opens, or of a layout to come, is nobody's (4)", async () => {
  const { world, browser } = await signedIn()
  const { readSession } = world.store
  world.store.readSession = async (id) => {
    const stored = await readSession(id)
    return stored && { ...stored, sealed: stored.sealed.map((byte, at) => (at === 20 ? byte ^ 1 : byte)) }
  }
  expect((await browser.session()).body.signed_in).toBe(false)
})

test('changes that meet are both kept (4)', async () => {
  const { browser } = await signedIn()
  await Promise.all([browser.spend(PATH), browser.spend('/organizations'), browser.spend('/rate_limit')])
  for (const path of [PATH, '/organizations', '/rate_limit'])
    expect((await browser.read(path)).status).toBe(200)
})

test('a session that was ended while a call was on its way does not come back (4)', async () => {
  const { world, browser } = await signedIn()
  const cookies = new Map(browser.cookies)
  world.intercept(async (request, through) => {
    const leaver = world.browser()
    for (const [name, value] of cookies) leaver.cookies.set(name, value)
    await leaver.signOut()
    return through(request)
  })
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([401, 'signed_out'])
  expect((await browser.session()).body.signed_in).toBe(false)
})
