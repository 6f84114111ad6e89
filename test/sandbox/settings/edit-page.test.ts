import { expect, test } from 'vitest'
import { atSettings, HOSTILE } from '../_settings.ts'

const choices = {
  states: 'can_be_disabled',
  keyedit: 'description_and_value',
  appedit: 'edit_delete_and_new_secret',
} as const

test.each([
  ['api-keys', ['Save', 'Disable API key', 'Make a new value', 'Delete API key']],
  ['applications', ['Save', 'Disable application', 'Make a new secret', 'Delete application']],
])('the edit page of %s has the buttons %j (5.1.4, 5.2.5)', async (path, buttons) => {
  const { read, handles } = await atSettings({ choices })
  const { text } = await read((await handles(path))[0] ?? '')
  const found = [...text.matchAll(/<button[^>]*name="action"[^>]*>([^<]*)<\/button>/g)].map(([, name]) =>
    name?.trim(),
  )
  expect(found).toEqual(buttons)
})

test.each(['api-keys', 'applications'])(
  'an unknown action, none, or two on the edit page of %s are refused (RFC 9110 15.5.1)',
  async (path) => {
    const { fill, handles, state } = await atSettings({ choices })
    const [address = ''] = await handles(path)
    const before = state()
    for (const body of ['', 'action=', 'action=nothing', 'action=toString', 'action=delete&action=delete'])
      expect((await fill(address, body)).status).toBe(400)
    expect({ ...state(), requests: 0, request_log: [] }).toEqual({ ...before, requests: 0, request_log: [] })
  },
)

test('errors are shown again with status 422 (5.2)', async () => {
  const { fill, handles } = await atSettings({ choices })
  const [address = ''] = await handles('api-keys')
  const { status, text } = await fill(address, { action: 'save', description: `\u202e${HOSTILE}` })
  expect([status, text.match(/role="alert"/g)]).toEqual([422, ['role="alert"']])
  expect(text).not.toMatch(/<script|<img/)
})
