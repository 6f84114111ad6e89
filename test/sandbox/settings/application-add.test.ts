import { expect, test } from 'vitest'
import { APPLICATION, atSettings } from '../_settings.ts'

test('Client Id and Client Secret are random: no two are equal, and the secret cannot be guessed (S25, check 40, RFC 6749 10.10)', async () => {
  const { fill, applications } = await atSettings()
  for (let nth = 0; nth < 9; nth += 1) await fill('applications/add', APPLICATION)
  const drawn = applications().slice(1)
  expect(new Set(drawn.map(({ client_id }) => client_id)).size).toBe(9)
  expect(new Set(drawn.map(({ client_secret }) => client_secret)).size).toBe(9)
  // 43 characters of 6 bits.
  expect(drawn.every(({ client_secret }) => /^[\w-]{43}$/.test(client_secret))).toBe(true)
  expect(drawn.every(({ client_id }) => /^[\w-]{20}$/.test(client_id))).toBe(true)
})

test.each([
  ['a name and a redirect URI', {}, {}],
  ['a description too', { description: 'Of the pier' }, { description: 'Of the pier' }],
])('is registered with %s, in the organization (S24, S48, 5.2)', async (_, fields, saved) => {
  const { fill, applications } = await atSettings()
  expect((await fill('applications/add', { ...APPLICATION, ...fields })).status).toBe(303)
  expect(applications()[1]).toEqual({
    client_id: expect.any(String),
    client_secret: expect.any(String),
    name: 'Tide table',
    redirect_uri: 'https://tide.example/callback',
    organization_id: 2002,
    ...saved,
  })
})

test('a new application can ask for consent at once, with the query of its redirect URI (check 38, RFC 6749 3.1.2)', async () => {
  const { fill, applications, answer, exchange } = await atSettings()
  const redirect_uri = 'https://tide.example/callback?from=a%20b&x='
  await fill('applications/add', { ...APPLICATION, redirect_uri })
  const { client_id, client_secret } = applications()[1] ?? {}
  const back = await answer('permit', { client_id, redirect_uri, organization_id: '2002' }, 'cleo')
  expect(back).toMatch(/^https:\/\/tide\.example\/callback\?from=a%20b&x=&code=/)
  const code = new URL(back).searchParams.get('code') ?? ''
  expect((await exchange(code, { client_id, client_secret, redirect_uri })).status).toBe(200)
})
