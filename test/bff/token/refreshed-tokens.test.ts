import { expect, test } from 'vitest'
import type { Tokens } from '../../../src/bff/core/context.ts'
import { withLease } from '../../../src/bff/core/lease.ts'
import { readTokenNote, changeTokenNote } from '../../../src/bff/limits/note.ts'
import { saveTokens } from '../../../src/bff/token/refreshed-tokens.ts'
import {
  changeSession,
  type Credential,
  endSession,
  type OAuthCredential,
  reloadSession,
  storeSession,
  tokenOf,
} from '../../../src/bff/session/record.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { createTime } from '../../kit/clock.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'

const tokens = (accessToken: string): Tokens => ({
  accessToken,
  refreshToken: `r-${accessToken}`,
  staleAtMs: START_MS,
  expiresAtMs: START_MS + 1000,
})
const OLD = { method: 'oauth', organizationId: '1001', tokens: tokens('old') } as const
const WITH = (accessToken: string) => ({ ...OLD, tokens: tokens(accessToken) })

/** A context with a session, whose store can fail to write sessions. Time passes when the test lets it. */
async function withSession() {
  const { context: real, log } = createContext()
  const time = createTime()
  const context = { ...real, store: { ...real.store }, wait: time.wait }
  const { session } = await storeSession(context, { credential: OLD, proven: true, copies: {} })
  const save = (accessToken: string, replaced: OAuthCredential = OLD) =>
    withLease(context, 'refresh', (lease) =>
      saveTokens(context, session, { replaced, tokens: tokens(accessToken) }, lease),
    )
  const elsewhere = () => ({ ...context, store: real.store, memory: createContext().context.memory })
  const change = (credential: Credential) =>
    changeSession(elsewhere(), session, (record) => ({ ...record, credential }))
  const stored = async (): Promise<string> => {
    const credential = (await reloadSession(elsewhere(), session))?.record.credential
    return credential?.method === 'oauth' ? credential.tokens.accessToken : 'none'
  }
  const breakDown = () => {
    const cause = new Error('disk full')
    context.store.writeSession = () => Promise.reject(new Problem('store_unavailable', { cause }))
  }
  const repair = () => {
    context.store.writeSession = real.store.writeSession
  }
  const drain = () =>
    time.during(async () => {
      while (context.memory.background.size > 0) await Promise.all(context.memory.background)
    })
  const pass = (ms: number) => time.during(() => time.wait(ms))
  return { context, time, pass, log, session, save, change, stored, breakDown, repair, drain }
}

test('new tokens are stored before they are returned, and the lease is gone (5.4.4)', async () => {
  const { context, save, stored, drain } = await withSession()
  expect(await save('new')).toEqual(WITH('new'))
  expect([await stored(), context.memory.unsavedTokens.size]).toEqual(['new', 0])
  await drain()
  expect(await context.store.acquireLease('refresh', START_MS, START_MS + 1)).toBeDefined()
})

test('a late refresh does not overwrite the tokens of another process, and uses them (5.4.3)', async () => {
  const { save, change, stored } = await withSession()
  await change(WITH('of another process'))
  expect(await save('late')).toEqual(WITH('of another process'))
  expect(await stored()).toBe('of another process')
})

test('a session that has ended meanwhile is not stored again (5.4)', async () => {
  const { context, session, save, stored } = await withSession()
  await endSession(context, session)
  expect(await problemOf(save('new'))).toEqual({ code: 'signed_out' })
  expect([await stored(), context.memory.unsavedTokens.size]).toEqual(['none', 0])
})

test('tokens that cannot be stored are used from memory, logged, and stored later (5.4.4, attack 59)', async () => {
  const { context, pass, log, session, save, stored, breakDown, repair, drain } = await withSession()
  breakDown()
  expect(await save('new')).toEqual(WITH('new'))
  expect(log).toEqual([
    {
      level: 'error',
      event: 'problem',
      code: 'store_unavailable',
      cause: expect.stringContaining('disk full'),
    },
  ])
  expect((await reloadSession(context, session))?.record.credential).toEqual(WITH('new'))
  await pass(2000)
  expect(await stored()).toBe('old')
  expect(await context.store.acquireLease('refresh', START_MS, START_MS + 1)).toBeUndefined()
  // A stop waits for this write.
  const drained = drain()
  repair()
  await drained
  expect([await stored(), context.memory.unsavedTokens.size]).toEqual(['new', 0])
  expect(await context.store.acquireLease('refresh', START_MS, START_MS + 1)).toBeDefined()
})

test('a disk that is full for a while loses no tokens: another connection reads them (5.4.4)', async () => {
  const { context: real } = createContext()
  const time = createTime()
  let isFull = false
  const store = openSqlite(':memory:')
  const context = {
    ...real,
    wait: time.wait,
    store: Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        (...values: unknown[]) =>
          isFull && !name.startsWith('read')
            ? Promise.reject(new Problem('store_unavailable'))
            : (method as (...all: unknown[]) => unknown)(...values),
      ]),
    ) as unknown as typeof store,
  }
  const { session } = await storeSession(context, { credential: OLD, proven: true, copies: {} })
  await withLease(context, 'refresh', (lease) => {
    isFull = true
    return saveTokens(context, session, { replaced: OLD, tokens: tokens('new') }, lease)
  })
  await time.during(() => time.wait(3000))
  isFull = false
  await time.during(async () => {
    while (context.memory.background.size > 0) await Promise.all(context.memory.background)
  })
  const elsewhere = { ...createContext().context, store }
  expect((await reloadSession(elsewhere, session))?.record.credential).toEqual(WITH('new'))
})

test('tokens that replace unsaved ones replace those in the store (5.4.4)', async () => {
  const { context, session, save, stored, breakDown, repair, drain } = await withSession()
  breakDown()
  await save('new')
  await context.store.releaseLease('refresh', 1)
  await save('newer', WITH('new'))
  expect(context.memory.unsavedTokens.get(session.id)).toEqual({ replaces: 'old', tokens: tokens('newer') })
  repair()
  await drain()
  expect(await stored()).toBe('newer')
})

test('tokens that another change of the session has stored are not written again (5.4.4)', async () => {
  const { context, session, save, stored, breakDown, repair, drain } = await withSession()
  breakDown()
  await save('new')
  repair()
  const { version } = await changeSession(context, session, (record) => record)
  await drain()
  expect([await stored(), (await reloadSession(context, session))?.version]).toEqual(['new', version])
})

test('a defect at writing unsaved tokens loses none that have replaced them meanwhile (5.4.4)', async () => {
  const { context, time, pass, session, save, breakDown, repair, drain } = await withSession()
  breakDown()
  await save('new')
  let fail = () => {}
  const isWriting = new Promise<void>((written) => {
    context.store.writeSession = () => {
      written()
      return new Promise((_, reject) => void (fail = () => reject(new TypeError('a defect'))))
    }
  })
  await time.during(() => isWriting)
  const failNow = fail
  breakDown()
  await context.store.releaseLease('refresh', 1)
  await save('newer', WITH('new'))
  failNow()
  await pass(100)
  expect(context.memory.unsavedTokens.get(session.id)?.tokens).toEqual(tokens('newer'))
  repair()
  await drain()
})

test('unsaved tokens give way to those that another process has stored (5.4.4)', async () => {
  const { context, save, change, stored, breakDown, repair, drain } = await withSession()
  breakDown()
  await save('new')
  await change(WITH('of another process'))
  repair()
  await drain()
  expect([await stored(), context.memory.unsavedTokens.size]).toEqual(['of another process', 0])
})

test('writing is not tried for ever: it stops when the session ends (5.4.4)', async () => {
  const { context, session, save, breakDown, repair, drain } = await withSession()
  breakDown()
  await save('new')
  await context.store.endSession(session.id)
  repair()
  await drain()
  expect(context.memory.unsavedTokens.size).toBe(0)
})

test('a write that fails for another reason reports that reason (5.4.4)', async () => {
  const { context, save } = await withSession()
  context.store.writeSession = () => Promise.reject(new TypeError('a defect'))
  await expect(save('new')).rejects.toThrow(TypeError)
  expect(context.memory.unsavedTokens.size).toBe(0)
})

test('the new token has the limits of the old one, and is used even if they cannot be stored (8.2)', async () => {
  const { context, save, drain } = await withSession()
  const pauses = { read: { code: 'rate_limited', reasons: [], untilMs: START_MS + 20_000 } } as const
  await changeTokenNote(context, tokenOf(OLD), () => ({ gauges: {}, pauses }))
  await save('new')
  expect((await readTokenNote(context, tokenOf(WITH('new')))).pauses).toEqual(pauses)
  await drain()
  context.store.changeNote = () => Promise.reject(new Problem('store_unavailable'))
  expect(await save('newer', WITH('new'))).toEqual(WITH('newer'))
})
