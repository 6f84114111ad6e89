import { expect, test } from 'vitest'
import { appBanner, sandboxBanner } from '../../../src/serve/start/banner.ts'
import { seed } from '../../kit/sandbox.ts'

const sandbox = {
  url: 'http://127.0.0.1:4000',
  controlUrl: 'http://127.0.0.1:4001',
  seed: seed(),
}
const header = { apiKeyHeader: 'X-Key' }
const app = { publicUrl: 'http://localhost:3000' }
const [{ client_id, client_secret, redirect_uri }] = seed().applications as [
  ReturnType<typeof seed>['applications'][0],
]

test('the app names where it is, its sandbox, organizations and people, and no secret', () => {
  const text = appBanner(app, sandbox)
  for (const part of [app.publicUrl, `${sandbox.url}:`, `${sandbox.controlUrl}:`, '1001', 'Ada Lindqvist'])
    expect(text).toContain(part)
  expect(text).not.toContain(client_secret)
  for (const { value } of seed().api_keys) expect(text).not.toContain(value)
})

test('the app in front of another service names that one, and no sandbox', () => {
  const text = appBanner({ ...app, serviceUrl: 'https://tasks.example' }, undefined)
  expect(text).toContain('https://tasks.example')
  expect(text).not.toContain('sandbox')
})

test.each([
  ['http://[::1]:3000', true],
  ['http://localhost:3000', false],
])(
  'the banner of %s says that Safari stores no cookies: %s (RFC 6265 5.4, attack 20)',
  (publicUrl, refuses) => {
    expect(appBanner({ publicUrl }, sandbox).includes('Safari')).toBe(refuses)
  },
)

test('the sandbox alone names a client, a redirect URI, an API key and a request, and no Sign in button', () => {
  const text = sandboxBanner(sandbox, header)
  const key = seed().api_keys[0]?.value
  for (const part of [
    client_id,
    redirect_uri,
    `curl -H 'X-Key: ${key}' http://127.0.0.1:4000/organizations\n`,
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('Sign in')
  expect(text).not.toContain(client_secret)
})

test('a sandbox without applications and keys prints no request', () => {
  const text = sandboxBanner({ ...sandbox, seed: { ...seed(), applications: [], api_keys: [] } }, header)
  expect(text).not.toMatch(/curl|client_id/)
})
