import { expect, test } from 'vitest'
import { readCopy, shareCopies, writeCopy } from '../../../src/bff/session/copies.ts'
import { endSession, storeSession } from '../../../src/bff/session/record.ts'
import { createContext, START_MS } from '../_context.ts'

const KEY = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' } as const

async function withSessions() {
  const { context } = createContext()
  const open = async () => (await storeSession(context, { credential: KEY, proven: true })).session
  return { context, one: await open(), other: await open() }
}

test('a copy is sealed: the store has no word of it, and it opens for its session and path alone (4)', async () => {
  const { context, one, other } = await withSessions()
  await writeCopy(context, one, '/organizations', '{"name":"canary"}')
  expect(await readCopy(context, one, '/organizations')).toEqual({
    text: '{"name":"canary"}',
    atMs: START_MS,
  })
  const [stored] = await context.store.readCopies(one.id)
  if (stored === undefined) throw new Error('there is no copy')
  expect(Buffer.from(stored.encrypted).toString('latin1')).not.toContain('canary')
  await context.store.writeCopy(other.id, stored)
  await context.store.writeCopy(one.id, { ...stored, path: '/rate_limit' })
  expect(await readCopy(context, other, '/organizations')).toBeUndefined()
  expect(await readCopy(context, one, '/rate_limit')).toBeUndefined()
})

test('another session gets copies of its own, and those of an ended one are gone (4)', async () => {
  const { context, one, other } = await withSessions()
  await writeCopy(context, one, '/organizations', '[]')
  await shareCopies(context, one, other)
  await endSession(context, one)
  expect(await context.store.readCopies(one.id)).toEqual([])
  expect(await readCopy(context, other, '/organizations')).toEqual({ text: '[]', atMs: START_MS })
})
