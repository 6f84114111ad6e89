import { expect, test } from 'vitest'
import { atSettings } from '../_settings.ts'

test('a page confirms an action, and shows no text from the address', async () => {
  const { read } = await atSettings()
  expect((await read('api-keys', '&done=key_issued')).text).toContain('The API key was issued.')
  for (const done of ['<b>', 'constructor', '__proto__', ''])
    expect((await read('api-keys', `&done=${encodeURIComponent(done)}`)).text).not.toContain('class="done"')
})

test('a page marks the current screen, and links only to screens that the person may open', async () => {
  const cleo = await atSettings()
  const { text } = await cleo.read('applications')
  expect(text).toMatch(/aria-current="page">Applications/)
  expect(text.match(/aria-current/g)).toHaveLength(1)
  expect((await cleo.read('applications/add')).text).toMatch(/aria-current="true">Applications/)
  const ben = await atSettings({}, 'ben')
  const nav = /<nav.*<\/nav>/s.exec((await ben.read('')).text)?.[0] ?? ''
  expect(nav).toContain('api-keys')
  expect(nav).not.toMatch(/applications|plan/)
})

test('a page names the organization, and links to its projects and its plan (5.3, 8.3)', async () => {
  const { read } = await atSettings()
  const { text } = await read('api-keys/add')
  expect(text).toContain('Meridian Shipping')
  expect(text).toContain('href="../../projects?organization_id=2002"')
  expect(text).toContain('href="../../plan?organization_id=2002"')
})

test('links and redirects work under a base path (0)', async () => {
  const { read, fill } = await atSettings({ basePath: '/a/b' })
  const { text } = await read('api-keys')
  expect(text).not.toMatch(/(href|action|src)="\//)
  const { to } = await fill('api-keys/add', { agreement: 'agreed' })
  const target = new URL(to ?? '', 'http://127.0.0.1:4000/a/b/settings/api-keys/add?organization_id=2002')
  expect(target.pathname).toBe('/a/b/settings/api-keys')
})
