// What one person or stranger can make of pairings: sessions, members of a grant, guesses.
import { expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { COOKIES } from '../../kit/config.ts'
import { BUSINESS, type App, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { throughAnother } from '../../kit/processes.ts'
import { claim, confirmed, countSessions, finish, offer, pair, signedIn } from './_pairing.ts'

const isOpen = async (browser: Person) => (await browser.session()).body.signed_in
const wrong = (nth: number) => `23456${100 + nth}`.replaceAll(/[01]/g, 'Z')

/** Confirmed, but no device asks for its session. */
async function leave(fixture: App, first: Person, times: number): Promise<Person[]> {
  const devices = Array.from({ length: times }, () => fixture.browser())
  for (const device of devices) {
    await confirmed(first, device)
    fixture.advance(1)
  }
  return devices
}

test('after 120 wrong codes the right one is refused too, and a wrong one writes no note (L27)', async () => {
  const { fixture, first } = await signedIn()
  const { code } = await offer(first)
  const guesser = fixture.browser('198.51.100.7')
  const notes = vi.spyOn(fixture.store, 'changeNote')
  for (let nth = 0; nth < 120; nth += 1) await claim(guesser, wrong(nth))
  expect(await claim(guesser, code)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
  expect(notes).not.toHaveBeenCalled()
  const inAnother = throughAnother(guesser, fixture.another())
  expect((await claim(inAnother, code)).status).toBe(200)
})

test('a hundred and one right codes of one address are no guesses', async () => {
  const { fixture, first } = await signedIn()
  for (let nth = 0; nth < 101; nth += 1)
    expect((await claim(fixture.browser(), (await offer(first)).code)).status).toBe(200)
})

test.each(['oauth', 'api_key'] as const)(
  'thirty devices that collect nothing leave 20 sessions by %s, and the list has the first alone',
  async (by) => {
    const { fixture, first } = await signedIn(by)
    const devices = await leave(fixture, first, 30)
    expect(await countSessions(first)).toBe(1)
    let opened = 0
    for (const device of devices) if ((await finish(device)).status === 201) opened += 1
    expect(opened).toBe(19)
    expect(await countSessions(first)).toBe(20)
  },
)

test.each(['oauth', 'api_key'] as const)(
  'devices that collect nothing sign no other out by %s, neither the first nor a later one',
  async (by) => {
    const { fixture, first } = await signedIn(by)
    const [second, third] = [fixture.browser(), fixture.browser()]
    await pair(first, second)
    await leave(fixture, second, 19)
    await pair(second, third)
    await leave(fixture, second, 19)
    for (const device of [first, second, third]) expect(await isOpen(device)).toBe(true)
    expect(await countSessions(first)).toBe(3)
  },
)

test('the list reads no session that has ended, however many devices were paired', async () => {
  const { fixture, first } = await signedIn()
  for (let nth = 0; nth < 60; nth += 1) {
    const device = fixture.browser()
    await pair(first, device)
    await device.signOut()
  }
  const reads = vi.spyOn(fixture.store, 'readSession')
  expect(await countSessions(first)).toBe(1)
  expect(reads.mock.calls.length).toBe(1)
})

test('a device that loses the answer asks again within two minutes, and gets the same session', async () => {
  const { fixture, first, second } = await signedIn()
  await confirmed(first, second)
  const again = throughAnother(second, fixture)
  const later = throughAnother(second, fixture)
  const { body } = await finish(second)
  fixture.advance(100_000)
  expect(await finish(again)).toMatchObject({ status: 201, body: { id: body.id } })
  expect(await countSessions(first)).toBe(2)
  fixture.advance(20_000)
  expect(await finish(later)).toMatchObject({ status: 404 })
  for (const device of [second, again]) expect(await isOpen(device)).toBe(true)
})

test('a poll that fails after the number was confirmed ends nothing: the next one opens the session', async () => {
  const { fixture, first, second } = await signedIn()
  await confirmed(first, second)
  vi.spyOn(fixture.store, 'readSession').mockRejectedValueOnce(new Problem('store_unavailable'))
  expect((await finish(second)).status).toBe(503)
  expect((await finish(second)).status).toBe(201)
  fixture.advance(120_000)
  expect(await isOpen(second)).toBe(true)
})

test('a proof that is shown again beside its own session does not end it', async () => {
  const { fixture, first, second } = await signedIn()
  await second.signIn(BUSINESS, 'Cleo')
  await confirmed(first, second)
  const proof = second.cookies.get(COOKIES.pairing) ?? ''
  expect((await finish(second)).status).toBe(201)
  const same = throughAnother(second, fixture)
  same.cookies.set(COOKIES.pairing, proof)
  expect(await finish(same)).toMatchObject({ status: 201, body: { others: [{ organization_id: BUSINESS }] } })
  expect((await second.session()).body).toMatchObject({ signed_in: true, organization_id: STANDARD })
})
