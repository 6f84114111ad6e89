// The built app with each kind of public URL: what its cookies are, and which ones it takes.
import { expect, test } from 'vitest'
import { openApp } from '../kit/cleanup.ts'
import { PAGE, signIn } from '../kit/service.ts'
import { openTokenService } from '../kit/service.ts'

const SECURE = ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict']
const PLAIN = ['Path=/', 'HttpOnly', 'SameSite=Strict']

test.each([
  ['http://localhost:3000', 'plimsoll-http-3000', PLAIN, 'https://localhost:3000'],
  ['http://127.0.0.1:3000', 'plimsoll-http-3000', PLAIN, 'http://127.0.0.1:3001'],
  ['http://[::1]:3000', '__Host-Http-plimsoll', SECURE, 'http://localhost:3000'],
  ['https://localhost:3000', '__Host-Http-plimsoll', SECURE, 'http://localhost:3000'],
  ['https://plimsoll.example.com', '__Host-Http-plimsoll', SECURE, 'http://localhost'],
])('at %s the cookie is %s with %j, and that of %s is not taken (6265bis 4.1.3)', async (...row) => {
  const [publicUrl, prefix, attributes, other] = row
  const { url } = await openApp({ ...(await openTokenService()), PLIMSOLL_PUBLIC_URL: publicUrl })
  const { reply } = await signIn({ url }, '7')
  expect(reply.status).toBe(201)
  const lines = reply.headers.getSetCookie()
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) {
    expect(line.startsWith(prefix)).toBe(true)
    expect(line.split('; ').filter((part, at) => at > 0 && !part.startsWith('Max-Age='))).toEqual(attributes)
  }
  const value = lines.map((line) => new RegExp(`^${prefix}=([^;]+)`).exec(line)?.[1]).find(Boolean)
  const { port, protocol } = new URL(other)
  const otherName = protocol === 'http:' ? `plimsoll-http-${port || 80}` : '__Host-Http-plimsoll'
  for (const [name, isSignedIn] of [
    [prefix, true],
    [otherName, false],
    ['plimsoll', false],
  ])
    expect(
      await (await fetch(`${url}/bff/session`, { headers: { ...PAGE, Cookie: `${name}=${value}` } })).json(),
    ).toMatchObject({ signed_in: isSignedIn })
})
