import { expect, test } from 'vitest'
import { describe } from '../../../src/bff/core/problem.ts'
import { parseTokens } from '../../../src/bff/token/answer.ts'
import { createContext } from '../_context.ts'

const SENT_MS = 1_000_000
const good = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt' }
const { config } = createContext().context
const parse = (answer: unknown) => parseTokens(config, Response.json(answer), SENT_MS)

test('tokens expire at their lifetime after the sending, and are stale 30 to 60 seconds before (5.4.2)', async () => {
  const all = await Promise.all(Array.from({ length: 200 }, () => parse(good)))
  for (const { accessToken, refreshToken, staleAtMs, expiresAtMs } of all) {
    expect([accessToken, refreshToken, expiresAtMs]).toEqual(['at', 'rt', SENT_MS + 3_600_000])
    expect(expiresAtMs - staleAtMs).toBeGreaterThanOrEqual(30_000)
    expect(expiresAtMs - staleAtMs).toBeLessThan(60_000)
  }
  expect(new Set(all.map(({ staleAtMs }) => staleAtMs)).size).toBeGreaterThan(1)
})

test.each([
  [undefined, 3600],
  [0, 0],
  [1, 1],
  [1e12, 366 * 86_400],
])('expires_in %s is a lifetime of %d seconds (2.1)', async (expires_in, seconds) => {
  expect((await parse({ ...good, expires_in })).expiresAtMs).toBe(SENT_MS + seconds * 1000)
})

test('an empty refresh token is none (2.1)', async () => {
  const answer = await parse({ ...good, refresh_token: undefined })
  expect(answer).not.toHaveProperty('refreshToken')
})

test.each([
  { ...good, access_token: 'canary é' },
  { ...good, access_token: 'é-canary' },
  { ...good, token_type: 'canary' },
  { ...good, refresh_token: ['canary'] },
  { ...good, expires_in: 'canary' },
  ['canary'],
])('%j is refused, and what is logged of it does not contain it (RFC 6750 2.1)', async (answer) => {
  const problem = await parse(answer).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(problem).toMatchObject({ code: 'unexpected_reply' })
  expect(describe(problem)).not.toContain('canary')
})

test('the log line of a refused answer names the wrong member (2.1)', async () => {
  await expect(parse({ ...good, access_token: undefined })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('access_token') },
  })
})
