import { expect, test } from 'vitest'
import { nameApiKey } from '../../../src/bff/core/server-key.ts'
import {
  FORMAT,
  formatFor,
  formatRecord,
  parseRecord,
  type SessionRecord,
} from '../../../src/bff/session/format.ts'
import { createContext } from '../_context.ts'

const TOKENS = { accessToken: 'at', refreshToken: 'rt', staleAtMs: 1, expiresAtMs: 2 }
const REST = { format: FORMAT, proven: true, startedAtMs: 1, seenAtMs: 2, copies: {} } as const
const OAUTH: SessionRecord = {
  ...REST,
  credential: { method: 'oauth', organizationId: '1001', tokens: TOKENS },
}
/** A record as the first version of this program wrote it. */
const KEY = { ...REST, credential: { method: 'api_key', apiKey: 'a-key' } }

test('a record has a later format only with a member that earlier versions do not know (4)', async () => {
  const { context } = createContext()
  const grant = { id: 'i', key: 'k' }
  const members = [{}, { browserId: 'x' }, { grant }, { signedInAtMs: 1 }, { browserId: 'x', grant }]
  expect(members.map(formatFor)).toEqual([1, 2, 3, 3, 3])
  for (const record of [
    { ...OAUTH, format: 1 },
    { ...OAUTH, browserId: 'x' },
    { ...OAUTH, grant, signedInAtMs: 1 },
  ])
    expect(await parseRecord(context, record)).toEqual(record)
  for (const wrong of [{ browserId: 1 }, { grant: { id: 'i' } }, { signedInAtMs: '1' }])
    expect(await parseRecord(context, { ...OAUTH, ...wrong })).toBeUndefined()
})

test('a record with tokens is stored as it is, and read as it was (4)', async () => {
  expect(formatRecord(OAUTH)).toEqual(OAUTH)
  expect(await parseRecord(createContext().context, OAUTH)).toEqual(OAUTH)
})

test('a record with a key is read with its name, and stored as earlier versions read it (5.1, attack 74)', async () => {
  const { context } = createContext()
  const read = await parseRecord(context, KEY)
  const name = await nameApiKey(context, 'a-key')
  expect(read).toEqual({ ...KEY, credential: { ...KEY.credential, name } })
  expect(formatRecord(read as SessionRecord)).toEqual(KEY)
})

test.each([
  [{ ...OAUTH, format: FORMAT + 1 }, 'newer'],
  [{ format: 99 }, 'newer'],
  [{ ...OAUTH, format: 0 }, undefined],
  [{ ...OAUTH, format: String(FORMAT + 1) }, undefined],
  [{ ...OAUTH, more: true }, undefined],
  [undefined, undefined],
])('the record %j is %s (4)', async (record, expected) => {
  expect(await parseRecord(createContext().context, record)).toBe(expected)
})
