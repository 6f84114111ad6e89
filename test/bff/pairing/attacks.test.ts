// Attacks on a code: each is a line of the table in docs/security.md.
import { expect, test } from 'vitest'
import { fingerprint, createKeyPair, unseal } from '../../../src/bff/core/encryption.ts'
import { parseSecret, publicIdOf } from '../../../src/bff/session/record.ts'
import { PAIRING, type PairingClaim } from '../../../src/contract/pairing.ts'
import { COOKIES, SESSION_COOKIE } from '../../kit/config.ts'
import { BUSINESS, STANDARD, startApp } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { replaceIn } from '../../kit/store-methods.ts'
import { makeLink, open } from '../watch/_links.ts'
import {
  claim,
  claimed,
  confirm,
  confirmed,
  countSessions,
  finish,
  offer,
  pair,
  signedIn,
} from './_pairing.ts'

const numberOf = async (second: Person, code: string) =>
  ((await claim(second, code)).body as PairingClaim).number
const another = (number: string): string => (number === '10' ? '11' : '10')
/** The value of the cookie of a claim. */
const proofOf = (browser: Person): string => browser.cookies.get(COOKIES.pairing) ?? ''

test('an unknown, an ended and a used code get the same answer (L28)', async () => {
  const { fixture, first, second } = await signedIn()
  const used = await offer(first)
  await claim(second, used.code)
  const answers = [await claim(fixture.browser(), used.code), await claim(second, 'ZZZZZZZZ')]
  fixture.advance(120_000)
  const ended = await offer(first)
  fixture.advance(120_000)
  answers.push(await claim(second, ended.code))
  const told = answers.map(({ status, body }) => ({ status, ...body, support_id: '' }))
  expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(told[0]).toMatchObject({ status: 404, code: 'not_found' })
})

test('twenty browsers enter one code at once in two processes: one gets the number (L29)', async () => {
  const [here, there] = twoProcesses()
  const first = here.browser()
  await first.signIn()
  const { code } = await offer(first)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => claim((nth % 2 === 0 ? here : there).browser(), code)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('of codes that one session offers at once in two processes one opens something (L29)', async () => {
  const [here, there] = twoProcesses()
  const first = here.browser()
  await first.signIn()
  const same = throughAnother(first, there)
  const offers = await Promise.all(Array.from({ length: 10 }, (_, nth) => offer(nth % 2 ? first : same)))
  const claims = await Promise.all(offers.map(({ code }) => claim(here.browser(), code)))
  expect(claims.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a code that somebody else entered first shows its person no number, and opens nothing (L30)', async () => {
  const { fixture, first, second } = await signedIn()
  const { code } = await offer(first)
  const thief = fixture.browser()
  const number = await numberOf(thief, code)
  expect(await claim(second, code)).toMatchObject({ status: 404 })
  expect((await finish(thief)).status).toBe(202)
  expect(await confirm(first, code, another(number))).toMatchObject({ body: { fault: 'number_differs' } })
  expect((await finish(thief)).status).toBe(404)
  expect(await countSessions(first)).toBe(1)
})

test('a wrong number ends the pairing: the right one comes too late (L31)', async () => {
  const { first, second } = await signedIn()
  const { code, number } = await claimed(first, second)
  await confirm(first, code, another(number))
  expect(await confirm(first, code, number)).toMatchObject({ status: 404 })
  expect(await finish(second)).toMatchObject({ status: 404 })
})

test('nobody but the session that offers a code confirms it, not even a colleague (L32)', async () => {
  const { fixture, first, second } = await signedIn()
  const { code, number } = await claimed(first, second)
  for (const [organization, person] of [
    [STANDARD, 'Ben'],
    [BUSINESS, 'Cleo'],
  ] as const) {
    const other = fixture.browser()
    await other.signIn(organization, person)
    expect(await confirm(other, code, number)).toMatchObject({ status: 404 })
  }
  expect((await confirm(fixture.browser(), code, number)).status).toBe(401)
  expect((await finish(second)).status).toBe(202)
  expect((await confirm(first, code, number)).status).toBe(204)
})

test('code and number open no session: only the browser that entered the code can (L33)', async () => {
  const { fixture, first, second } = await signedIn()
  const { code } = await confirmed(first, second)
  const thief = fixture.browser()
  expect((await claim(thief, code)).status).toBe(404)
  const [hash] = proofOf(second).split('.')
  for (const key of ['', 'x', createKeyPair().privateKey, fingerprint(code)]) {
    thief.cookies.set(COOKIES.pairing, `${hash}.${key}`)
    expect((await finish(thief)).status).toBe(404)
  }
  expect((await finish(second)).status).toBe(201)
})

test('the proof of a claim opens one session, and nothing after its end or its two minutes (L34)', async () => {
  const { fixture, first, second } = await signedIn()
  await confirmed(first, second)
  const proof = proofOf(second)
  await finish(second)
  expect(second.cookies.has(COOKIES.pairing)).toBe(false)
  await second.signOut()
  const thief = fixture.browser()
  thief.cookies.set(COOKIES.pairing, proof)
  expect((await finish(thief)).status).toBe(404)
  const third = fixture.browser()
  await confirmed(first, third)
  const late = proofOf(third)
  await finish(third)
  fixture.advance(120_000)
  thief.cookies.set(COOKIES.pairing, late)
  expect((await finish(thief)).status).toBe(404)
  expect((await third.session()).body.signed_in).toBe(true)
})

test('a number that is confirmed twenty times at once in two processes opens one session (L35)', async () => {
  const [here, there] = twoProcesses()
  const first = here.browser()
  await first.signIn()
  const same = throughAnother(first, there)
  const second = here.browser()
  const { code, number } = await claimed(first, second)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => confirm(nth % 2 === 0 ? first : same, code, number)),
  )
  // The answer to any of them may be lost.
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  expect((await finish(second)).status).toBe(201)
  expect(await countSessions(first)).toBe(2)
  expect((await first.spend(`/organizations/${STANDARD}`)).status).toBe(200)
})

test('a planted code leaves a victim signed in as themself (L36, RFC 9700 4.7)', async () => {
  const { fixture, first: attacker } = await signedIn()
  const victim = fixture.browser()
  await victim.signIn(BUSINESS, 'Cleo')
  const own = (await victim.session()).body
  const { code } = await offer(attacker)
  await claim(victim, code)
  expect((await victim.session()).body).toEqual(own)
})

test('no other host plants a proof or a link, since their cookies have its prefix (L5, L36, 6265bis 4.1.3)', async () => {
  const fixture = startApp({ publicUrl: 'https://plimsoll.example.com' })
  const [first, second] = [fixture.browser(), fixture.browser()]
  await first.signIn()
  const claimed = await claim(second, (await offer(first)).code)
  const opened = await open(second, await makeLink(first))
  const lines = [claimed, opened].flatMap(({ headers }) => headers.getSetCookie())
  const cookies = lines.filter((line) => !line.includes('-browser='))
  expect(cookies).toEqual([
    expect.stringMatching(
      /^__Host-Http-plimsoll-pairing=[\w-]{43}\.[\w-]{64}; Path=\/; Max-Age=120; Secure; HttpOnly; SameSite=Strict$/,
    ),
    expect.stringMatching(
      /^__Host-Http-plimsoll-watch-[\w-]+=[\w-]{43}; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
    ),
  ])
  // A sign-out leaves the display as it is.
  await second.signIn()
  await second.signOut()
  expect([...second.cookies.keys()]).toEqual([expect.stringContaining('-watch-')])
})

test('a person talked into a confirmation sees the other session in the list, and ends it (L37)', async () => {
  const { fixture, first, second } = await signedIn()
  const third = fixture.browser()
  await pair(first, second)
  await confirmed(first, third)
  expect(await countSessions(first)).toBe(2)
  await first.request('DELETE', '/bff/sessions')
  expect((await second.session()).body.signed_in).toBe(false)
  expect(await finish(third)).toMatchObject({ status: 404 })
  expect(third.cookies.has(SESSION_COOKIE)).toBe(false)
})

test('a code ends with the session that offers it (L38)', async () => {
  const { first, second } = await signedIn()
  const { code, number } = await claimed(first, second)
  await first.signOut()
  expect((await confirm(first, code, number)).status).toBe(401)
  expect((await finish(second)).status).toBe(202)
})

/** A person ends all other sessions from one that is paired with `first`. */
async function endingOthers() {
  const { fixture, first, second } = await signedIn()
  const owner = fixture.browser()
  await pair(first, owner)
  const endOthers = async () => (await owner.request('DELETE', '/bff/sessions')).status
  return { fixture, first, second, endOthers, ...(await claimed(first, second)) }
}

test('a number confirmed after all others are listed, before they end, opens nothing (attack 27, L38)', async () => {
  const { fixture, first, second, endOthers, code, number } = await endingOthers()
  let confirmation: ReturnType<typeof confirm> | undefined
  replaceIn(fixture.store, 'listSessions', (list) => async (...of) => {
    const found = await list(...of)
    if (confirmation === undefined) await (confirmation = confirm(first, code, number))
    return found
  })
  expect(await endOthers()).toBe(204)
  expect((await confirmation)?.status).toBe(204)
  expect((await finish(second)).status).toBe(404)
})

test('a number whose confirmation is stored after the end of all others opens nothing (attack 27, L38)', async () => {
  const { fixture, first, second, endOthers, code, number } = await endingOthers()
  const { transaction } = fixture.store
  fixture.store.transaction = async (work) => {
    fixture.store.transaction = transaction
    await endOthers()
    return transaction(work)
  }
  expect((await confirm(first, code, number)).status).toBe(401)
  expect((await finish(second)).status).toBe(202)
})

test('a stolen database has no code, no proof and no key of a session in readable form (L40)', async () => {
  const { fixture, first, second } = await signedIn()
  const { code } = await confirmed(first, second)
  const [hash = '', privateKey = ''] = proofOf(second).split('.')
  const [note] = (await fixture.store.readNotes([`pairing ${hash}`])) as [{ value: { sealed: string } }]
  const stored = JSON.stringify(note)
  const { body } = await finish(second)
  const { sealed } = note.value
  expect(unseal(sealed, createKeyPair().privateKey, `pairing ${hash}`)).toBeUndefined()
  expect(unseal(sealed, privateKey, `pairing ${fingerprint('another')}`)).toBeUndefined()
  const secret = String(unseal(sealed, privateKey, `pairing ${hash}`))
  expect(publicIdOf(parseSecret(secret))).toBe(body.id)
  for (const hidden of [code, privateKey, ...secret.split('.')]) expect(stored).not.toContain(hidden)
})

test.each([
  ['no code', {}],
  ['a code of seven characters', { code: 'ABCDEFG' }],
  ['a code with a look-alike', { code: 'ABCDEFG0' }],
  ['a code that is a number', { code: 22222222 }],
  ['another member', { code: 'ABCDEFGH', session: 'x' }],
  ['a code of 20 kB', { code: 'A'.repeat(20_000) }],
])('%s is refused before anything is read (L39)', async (_, json) => {
  const { second } = await signedIn()
  expect([400, 413]).toContain((await second.request('POST', PAIRING.claim, { json })).status)
  expect(second.cookies.size).toBe(0)
})

test('the log of a pairing names neither the code nor the number (L39)', async () => {
  const { fixture, first, second } = await signedIn()
  const { code, number } = await confirmed(first, second)
  await finish(second)
  await pair(first, fixture.browser())
  const log = JSON.stringify(fixture.log)
  expect(log).toContain('"sign_in"')
  expect(log).not.toContain(code)
  expect(log).not.toContain(`"${number}"`)
})
