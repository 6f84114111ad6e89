import { expect, test } from 'vitest'
import type { Context } from '../../../src/bff/core/context.ts'
import { ownPage } from '../../../src/bff/pages/own-page.ts'
import type { Documents, Known } from '../../../src/bff/pages/pages.ts'
import { storeSession } from '../../../src/bff/session/record.ts'
import { createContext } from '../_context.ts'

/** Draws what it is given as JSON. */
const documents: Documents = {
  get: () => undefined,
  getOwn: (language, isChosen, known) => ({
    file: { body: new TextEncoder().encode(JSON.stringify({ language, isChosen, known })), contentType: '' },
    styles: [],
  }),
  styles: [],
}

async function signedIn(context: Context): Promise<Request> {
  const credential = { method: 'api_key', apiKey: 'a key', name: 'name-of-a-key' } as const
  const { setCookie } = await storeSession(context, { credential, proven: true, copies: {} })
  return new Request('http://localhost:3000/', { headers: { Cookie: setCookie.replace(/;.*/, '') } })
}

test('the page is drawn with the session and its quota, and nothing is sent (8.3)', async () => {
  const { context } = createContext()
  const drawn = await ownPage(context, await signedIn(context), documents)('ja', true)
  const { known, ...asked } = JSON.parse(new TextDecoder().decode(drawn?.file.body)) as { known: Known }
  expect(asked).toEqual({ language: 'ja', isChosen: true })
  expect(known.session).toMatchObject({ signed_in: true, method: 'api_key', ends_in: 604_800 })
  expect(known.quota).toMatchObject({ version: 0, month: { low: 0, high: 0 } })
  expect(JSON.stringify(known)).not.toContain('a key')
})

test('nothing is drawn for a cookie of no session, which counts as a guess (RFC 9110 15.5.2)', async () => {
  const { context, log } = createContext()
  const request = new Request('http://localhost:3000/', {
    headers: { Cookie: (await signedIn(context)).headers.get('Cookie')?.replace('=', '=x') ?? '' },
  })
  expect(await ownPage(context, request, documents)('en', false)).toBeUndefined()
  expect(log).toEqual([])
})

test.each([
  ['no documents', undefined],
  ['documents of everybody only', { get: () => undefined, styles: [] }],
])('with %s nothing is drawn, and the store is not asked (8.3)', async (_, given) => {
  const { context, log } = createContext()
  const request = await signedIn(context)
  context.store.readSession = () => Promise.reject(new Error('the store was asked'))
  expect(await ownPage(context, request, given)('en', false)).toBeUndefined()
  expect(log).toEqual([])
})

test('a store that does not answer holds the page up for a moment only', async () => {
  const { context } = createContext()
  const request = await signedIn(context)
  const store = Object.create(context.store, { readSession: { value: () => new Promise(() => {}) } })
  expect(await ownPage({ ...context, store }, request, documents)('en', false)).toBeUndefined()
})

test('a page that cannot be drawn is logged with the id of the request, and is the one of everybody', async () => {
  const { context, log } = createContext()
  const broken: Documents = {
    ...documents,
    getOwn: () => {
      throw new Error('no such component')
    },
  }
  expect(await ownPage(context, await signedIn(context), broken)('en', false)).toBeUndefined()
  expect(log).toMatchObject([
    { event: 'problem', level: 'error', code: 'unknown', support_id: 'request-id-1' },
  ])
  expect(String(log[0]?.['cause'])).toContain('no such component')
})
