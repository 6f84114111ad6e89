import { describe, expect, test } from 'vitest'
import { assertSameOrigin } from '../../src/bff/csrf.ts'
import { Problem } from '../../src/contract/problem.ts'

const OURS = 'http://localhost:3000'
const TOKENS = ['1', '0', '', '1, 1', undefined]
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', 'Same-Origin', 'sideways', '', undefined]
const ORIGINS = [
  OURS,
  'http://localhost:3000.evil.example',
  'http://localhost:30000',
  'https://localhost:3000',
  'http://127.0.0.1:3000',
  'http://evil.example',
  `${OURS}/`,
  'null',
  '',
  undefined,
]

function passes(sent: Record<string, string | undefined>): boolean {
  const refusal = refusalOf(sent)
  if (refusal === undefined) return true
  if (refusal instanceof Problem && refusal.code === 'forged_request') return false
  throw refusal
}

/** What is thrown; `undefined` when the request passes. */
function refusalOf(sent: Record<string, string | undefined>): unknown {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) headers.set(name, value)
  try {
    assertSameOrigin(new Request(`${OURS}/bff/session`, { method: 'POST', headers }), OURS)
    return undefined
  } catch (error) {
    return error
  }
}

/** The pairs of Sec-Fetch-Site and Origin that pass with this X-CSRF. */
const passing = (token: string | undefined) =>
  SITES.flatMap((site) =>
    ORIGINS.filter((origin) => passes({ 'X-CSRF': token, 'Sec-Fetch-Site': site, Origin: origin })).map(
      (origin) => [site, origin],
    ),
  )

describe('for every combination that a browser may send', () => {
  test('same-origin by Fetch Metadata passes, and our Origin where there is none that is known (Fetch Metadata 2.3)', () => {
    expect(passing('1')).toEqual([
      ...ORIGINS.map((origin) => ['same-origin', origin]),
      ['Same-Origin', OURS],
      ['sideways', OURS],
      ['', OURS],
      [undefined, OURS],
    ])
  })

  test.each(TOKENS.slice(1))(
    'every request with X-CSRF: %j is refused (draft-ietf-oauth-browser-based-apps 6.1.3.3.2)',
    (token) => {
      expect(passing(token)).toEqual([])
    },
  )
})

test.each(['same-site', 'cross-site', 'none'])(
  'our Origin does not help a request that is %s (Fetch Metadata 2.3)',
  (site) => {
    expect(passes({ 'X-CSRF': '1', 'Sec-Fetch-Site': site, Origin: OURS })).toBe(false)
  },
)

test('two words are none, so that a second header does not make another origin ours (Fetch Metadata 2.3)', () => {
  const sent = { 'X-CSRF': '1', 'Sec-Fetch-Site': 'cross-site, same-origin' }
  expect(passes({ ...sent, Origin: 'http://evil.example' })).toBe(false)
  expect(passes({ ...sent, Origin: `${OURS}, http://evil.example` })).toBe(false)
})

test('neither Referer, Host nor X-Forwarded-Host stands in for Origin (RFC 6454 7)', () => {
  const sent = { Referer: `${OURS}/`, Host: 'localhost:3000', 'X-Forwarded-Host': 'localhost:3000' }
  expect(passes({ 'X-CSRF': '1', ...sent })).toBe(false)
})

test('the detail names what is missing: the header of our page, or the same origin (RFC 9457 3.1.4)', () => {
  expect(refusalOf({})).toMatchObject({ detail: 'The header X-CSRF: 1 is missing.' })
  expect(refusalOf({ 'X-CSRF': '1' })).toMatchObject({ detail: expect.stringContaining('same origin') })
})
