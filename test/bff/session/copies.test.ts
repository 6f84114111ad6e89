import { expect, test } from 'vitest'
import { readCopy, writeCopy } from '../../../src/bff/session/grant.ts'
import { endSession, storeSession } from '../../../src/bff/session/record.ts'
import { createContext, START_MS } from '../_context.ts'

const KEY = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' } as const
const PATH = '/organizations'

async function withSessions() {
  const { context } = createContext()
  const open = async () => (await storeSession(context, { credential: KEY, proven: true })).session
  return { context, one: await open(), other: await open() }
}

test('a copy is sealed: the store has no word of it, and it opens for its grant and path alone (4)', async () => {
  const { context, one, other } = await withSessions()
  await writeCopy(context, one, PATH, '{"name":"canary"}')
  expect(await readCopy(context, one, PATH)).toEqual({ text: '{"name":"canary"}', atMs: START_MS })
  const stored = await context.store.readCopy(one.grant.id, PATH)
  if (stored === undefined) throw new Error('there is no copy')
  expect(Buffer.from(stored.encrypted).toString('latin1')).not.toContain('canary')
  await context.store.writeCopy(other.grant.id, stored)
  await context.store.writeCopy(one.grant.id, { ...stored, path: '/rate_limit' })
  expect(await readCopy(context, other, PATH)).toBeUndefined()
  expect(await readCopy(context, one, '/rate_limit')).toBeUndefined()
})

test('the sessions of a grant share its copies, which are gone with the last of them (4)', async () => {
  const { context, one } = await withSessions()
  const start = { credential: KEY, proven: true, grant: one.grant }
  const { session: paired } = await storeSession(context, start)
  await writeCopy(context, one, PATH, '[]')
  await endSession(context, one)
  expect(await readCopy(context, paired, PATH)).toEqual({ text: '[]', atMs: START_MS })
  await endSession(context, paired)
  expect(await context.store.readCopy(one.grant.id, PATH)).toBeUndefined()
})
