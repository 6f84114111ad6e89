import { expect, test } from 'vitest'
import { APPLICATION, atSettings, HOSTILE, records } from '../_settings.ts'

test.each([
  ['without a name', { name: undefined }, 'Enter the application name.'],
  ['with a blank name', { name: '  ' }, 'Enter the application name.'],
  ['without a redirect URI', { redirect_uri: undefined }, 'Enter the redirect URI.'],
  ['with a relative redirect URI', { redirect_uri: '/callback' }, 'has to be a whole address'],
  ['with a fragment', { redirect_uri: 'https://a.example/#x' }, 'must not have a fragment'],
  ['with http elsewhere', { redirect_uri: 'http://a.example/' }, 'is for this machine only'],
  ['without the agreement', { agreement: undefined }, 'Tick that you agree'],
  ['with another agreement', { agreement: 'no' }, 'Tick that you agree'],
])('is not registered %s (S22, S23, S26, S48, check 38, check 39, 5.2)', async (_, fields, message) => {
  const { fill, state } = await atSettings()
  const before = records(state())
  const { status, text } = await fill('applications/add', { ...APPLICATION, ...fields })
  expect([status, records(state())]).toEqual([422, before])
  expect(text).toContain(message)
})

test('where several redirect URIs are chosen, each can be used (U17, 5.2)', async () => {
  const { fill, read, applications, answer } = await atSettings({ choices: { redircount: 'several' } })
  const uris = ['https://tide.example/one', 'https://tide.example/two']
  expect((await read('applications/add')).text).toContain('<textarea')
  expect((await fill('applications/add', { ...APPLICATION, redirect_uri: uris.join('\r\n') })).status).toBe(
    303,
  )
  const { client_id } = applications()[1] ?? {}
  for (const redirect_uri of uris)
    expect(await answer('permit', { client_id, redirect_uri, organization_id: '2002' }, 'cleo')).toContain(
      `${redirect_uri}?code=`,
    )
})

test('name, description and redirect URI are shown as text (check 49, RFC 6749 10.14)', async () => {
  const { fill, read, handles, state } = await atSettings()
  await fill('applications/add', { ...APPLICATION, name: HOSTILE.slice(0, 100), description: HOSTILE })
  expect(state().applications).toHaveLength(2)
  for (const path of ['applications', (await handles('applications'))[1] ?? '']) {
    const { text } = await read(path)
    expect(text).not.toMatch(/<script|<img/)
    expect(text).toContain('&lt;script&gt;')
  }
})
