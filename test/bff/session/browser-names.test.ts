import { expect, test } from 'vitest'
import {
  changeBrowserName,
  keepBrowserName,
  MOST_NAMES,
  readBrowserNames,
} from '../../../src/bff/session/browser-names.ts'
import {
  type Credential,
  type LoadedSession,
  loadSession,
  storeSession,
} from '../../../src/bff/session/record.ts'
import { senderOf } from '../../../src/bff/session/sender.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Store } from '../../../src/store/store.ts'
import { createContext } from '../_context.ts'

const KEY: Credential = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' }
const ORGANIZATION = 'key name-of-a-key'
const DAY_MS = 86_400_000

type Made = ReturnType<typeof createContext>

const open = async ({ context }: Made, browserId: string, proven = true, browser = 'Firefox on Linux') =>
  (
    await storeSession(context, {
      credential: KEY,
      proven,
      copies: {},
      browserId,
      listing: { owner: ORGANIZATION, browser },
    })
  ).session

const namesOf = async ({ context }: Made) => [...(await readBrowserNames(context, ORGANIZATION))]

/** Counts what is written from here on. */
function countWrites({ context }: Made) {
  const written: string[] = []
  const { changeNote, writeSession } = context.store
  const counted: Pick<Store, 'changeNote' | 'writeSession'> = {
    changeNote: (name, ...rest) => {
      written.push(name)
      return changeNote(name, ...rest)
    },
    writeSession: (...all) => {
      written.push('session')
      return writeSession(...all)
    },
  }
  Object.assign(context.store, counted)
  return written
}

test('a session that opens brings its coarse name, and the next one of its browser writes nothing (8.3)', async () => {
  const given = createContext()
  const first = await open(given, 'one')
  expect(await keepBrowserName(given.context, first)).toBe(first)
  expect(await namesOf(given)).toEqual([['key name-of-a-key/one', 'Firefox on Linux']])
  const second = await open(given, 'one')
  const written = countWrites(given)
  expect(await keepBrowserName(given.context, second)).toBe(second)
  expect(written).toEqual([])
})

test('a browser keeps its chosen name in its next session, and shows it in the list (ASVS 7.5.2)', async () => {
  const given = createContext()
  const first = await keepBrowserName(given.context, await open(given, 'one'))
  await changeBrowserName(given.context, first, 'Aya, office')
  const next = await keepBrowserName(given.context, await open(given, 'one'))
  const other = await keepBrowserName(given.context, await open(given, 'two'))
  expect([next.browser, other.browser]).toEqual(['Aya, office', 'Firefox on Linux'])
  const listed = await given.context.store.listSessions(ORGANIZATION, given.context.now())
  const names = listed.map(({ browser }) => browser).toSorted()
  expect(names).toEqual(['Aya, office', 'Aya, office', 'Firefox on Linux'])
  expect((await loadSession(given.context, first)) as object).toMatchObject({ browser: 'Aya, office' })
})

test('a session that is not proven has no name and writes none (5.3)', async () => {
  const given = createContext()
  const unproven = await open(given, 'one', false)
  const written = countWrites(given)
  expect(await keepBrowserName(given.context, unproven)).toBe(unproven)
  expect(written).toEqual([])
})

test('of more than 200 names the one that was written longest ago goes, and returns at its next use', async () => {
  const given = createContext()
  const sessions: LoadedSession[] = []
  for (let nth = 0; nth < MOST_NAMES; nth += 1) {
    const session = await open(given, `b${nth}`)
    sessions.push(await keepBrowserName(given.context, session))
  }
  await changeBrowserName(given.context, sessions[0]!, 'Aya, office')
  await keepBrowserName(given.context, await open(given, 'another'))
  const names = new Map(await namesOf(given))
  expect(names.size).toBe(MOST_NAMES)
  expect([0, 1, 2].map((nth) => names.has(senderOf(sessions[nth]!)))).toEqual([true, false, true])
  await keepBrowserName(given.context, sessions[1]!)
  expect((await namesOf(given)).at(-1)).toEqual(['key name-of-a-key/b1', 'Firefox on Linux'])
})

test('names last as long as the cookies of the browsers, and each write prolongs them (RFC 6265 5.3)', async () => {
  const given = createContext()
  await keepBrowserName(given.context, await open(given, 'one'))
  given.clock.ms += 300 * DAY_MS
  await keepBrowserName(given.context, await open(given, 'two'))
  given.clock.ms += 400 * DAY_MS - 1
  await given.context.store.sweep(given.clock.ms)
  expect(await namesOf(given)).toHaveLength(2)
  given.clock.ms += 1
  await given.context.store.sweep(given.clock.ms)
  expect(await namesOf(given)).toEqual([])
})

test.each(['text', { format: 2, value: [] }, { format: 1, value: [{ sender: 'x' }] }])(
  'the note %j of another version, or damaged, names nobody and breaks nothing (4)',
  async (note) => {
    const given = createContext()
    await given.context.store.changeNote(`browsers ${ORGANIZATION}`, () => note, Infinity)
    expect(await namesOf(given)).toEqual([])
    await keepBrowserName(given.context, await open(given, 'one'))
    expect(await namesOf(given)).toHaveLength(1)
  },
)

test('a store that fails at a name fails no sign-in, but a rename is not reported as done', async () => {
  const given = createContext()
  const session = await open(given, 'one')
  given.context.store.changeNote = () => Promise.reject(new Problem('store_unavailable'))
  expect(await keepBrowserName(given.context, session)).toBe(session)
  const renamed = changeBrowserName(given.context, session, 'Aya')
  await expect(renamed).rejects.toMatchObject({ code: 'store_unavailable' })
  given.context.store.changeNote = () => Promise.reject(new Error('a defect'))
  await expect(keepBrowserName(given.context, session)).rejects.toThrow('a defect')
})

test('an earlier session without a name of a browser is listed as another browser (4)', async () => {
  const given = createContext()
  await keepBrowserName(given.context, await open(given, 'one', true, ''))
  expect(await namesOf(given)).toEqual([['key name-of-a-key/one', 'Another browser']])
})
