import { describe, expect, test } from 'vitest'
import { handleOf } from '../../../src/sandbox/settings/secret.tsx'
import { CLIENT } from '../../kit/sandbox.ts'
import { APPLICATION, atSettings } from '../_settings.ts'

test('always: every value is in the list (U80, S43, S49, 5.1)', async () => {
  const { read, keys } = await atSettings()
  expect((await read('api-keys')).text).toContain(keys()[0]?.value)
  expect((await read('applications')).text).toContain(CLIENT.client_secret)
})

describe('masked', () => {
  const choices = { visibility: 'masked' } as const

  test('a value is not in the page until its own link is followed (U80, 5.1)', async () => {
    const { read, keys } = await atSettings({ choices })
    const { value = '' } = keys()[0] ?? {}
    const { text } = await read('api-keys')
    expect(text).not.toContain(value)
    expect(text).toContain(`${value.slice(-4)}<`)
    const link = `show=${handleOf(value)}`
    expect(text).toContain(link)
    expect((await read('api-keys', `&${link}`)).text).toContain(value)
    expect((await read('applications')).text).not.toContain(CLIENT.client_secret)
    expect((await read('applications', `&show=${handleOf(CLIENT.client_secret)}`)).text).toContain(
      CLIENT.client_secret,
    )
  })

  test('no character of a short value is shown (U80)', async () => {
    const { read } = await atSettings({ choices })
    expect((await read('applications')).text).toMatch(/>hidden<\/span><\/code>/)
  })

  test.each(['x', '', '%3Cscript%3E', 'constructor'])('shows nothing for show=%s (U80)', async (show) => {
    const { read, keys } = await atSettings({ choices })
    const { text } = await read('api-keys', `&show=${show}`)
    expect(text).not.toContain(keys()[0]?.value)
    expect(text).not.toContain('<script')
  })
})

describe('secret_once', () => {
  const choices = { visibility: 'secret_once', appedit: 'edit_delete_and_new_secret' } as const

  test('the secret of an application is only in the first list after its creation (U80, 5.2)', async () => {
    const { fill, read, applications, keys } = await atSettings({ choices })
    expect((await read('applications')).text).not.toContain(CLIENT.client_secret)
    await fill('applications/add', APPLICATION)
    const { client_id = '', client_secret = '' } = applications()[1] ?? {}
    expect((await read('applications')).text).toContain(client_secret)
    const second = (await read('applications')).text
    expect(second).not.toContain(client_secret)
    expect(second).toContain(client_id)
    expect((await read('api-keys')).text).toContain(keys()[0]?.value)
  })

  test('a new secret is also shown once (U80, U79)', async () => {
    const { fill, handles, read, applications } = await atSettings({ choices })
    await fill((await handles('applications'))[0] ?? '', { action: 'renew' })
    const { client_secret = '' } = applications()[0] ?? {}
    expect((await read('applications')).text).toContain(client_secret)
    expect((await read('applications')).text).not.toContain(client_secret)
  })

  test('a HEAD request does not count as the first list (RFC 9110 9.2.1)', async () => {
    const { fill, read, send, at, headers, applications } = await atSettings({ choices })
    await fill('applications/add', APPLICATION)
    await send(at('applications'), { method: 'HEAD', headers })
    expect((await read('applications')).text).toContain(applications()[1]?.client_secret)
  })
})

test('a handle has 16 characters, and another value has another handle', () => {
  expect(handleOf('a')).toMatch(/^[\w-]{16}$/)
  expect(handleOf('a')).not.toBe(handleOf('b'))
})
