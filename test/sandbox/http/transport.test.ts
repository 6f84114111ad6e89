import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open } from '../../kit/sandbox.ts'

const ORIGIN = { Origin: 'https://other.example' }
const corsOf = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-')).toSorted()

test.each<[Choices['cors'], boolean, boolean, boolean]>([
  ['none', false, false, false],
  ['any_origin', true, false, true],
  ['any_origin_exposed', true, true, true],
  ['missing_on_refusals', true, true, false],
  ['key_header_refused', true, true, true],
])(
  '%s lets other origins read answers: %s, limits: %s, refusals: %s (U81)',
  async (cors, any, exposed, onRefusals) => {
    const { send, key, token } = open({ choices: { cors } })
    const served = await send('/organizations', { headers: { ...key(), ...ORIGIN } })
    expect(served.headers.get('Access-Control-Allow-Origin')).toBe(any ? '*' : null)
    expect(
      served.headers.get('Access-Control-Expose-Headers')?.includes('X-RateLimit-Remaining') ?? false,
    ).toBe(exposed)
    const refused = await send('/organizations', { headers: ORIGIN })
    expect(refused.headers.has('Access-Control-Allow-Origin')).toBe(onRefusals)
    const ofToken = await token({ grant_type: 'nothing' }, ORIGIN)
    expect(ofToken.headers.has('Access-Control-Allow-Origin')).toBe(onRefusals)
  },
)

test.each<[Choices['cors'], number, string | null]>([
  ['none', 405, null],
  ['any_origin', 204, 'Authorization, Content-Type, X-Service-Api-Key'],
  ['any_origin_exposed', 204, 'Authorization, Content-Type, X-Service-Api-Key'],
  ['missing_on_refusals', 204, 'Authorization, Content-Type, X-Service-Api-Key'],
  ['key_header_refused', 204, 'Authorization, Content-Type'],
])('the choice %s answers a preflight with %i and allows %s (U81)', async (cors, status, allowed) => {
  const { send, sandbox } = open({ choices: { cors } })
  const headers = { ...ORIGIN, 'Access-Control-Request-Method': 'GET' }
  for (const path of ['/organizations', '/rate_limit', '/oauth2/token']) {
    const answer = await send(path, { method: 'OPTIONS', headers })
    expect([answer.status, answer.headers.get('Access-Control-Allow-Headers')]).toEqual([status, allowed])
  }
  expect(sandbox.snapshot().months).toEqual({})
})

test.each<Choices['cors']>([
  'none',
  'any_origin',
  'any_origin_exposed',
  'missing_on_refusals',
  'key_header_refused',
])('no page allows other origins with the choice %s (U81, RFC 9700 2.6)', async (cors) => {
  const { send, authorizePath } = open({ choices: { cors } })
  for (const path of ['/', '/plan', authorizePath(), '/style.css'])
    expect(corsOf(await send(path, { headers: ORIGIN }))).toEqual([])
})

test('a 429 is not cached (check 61, RFC 6585 4)', async () => {
  const { api, key } = open()
  const refused = await api(61, '/organizations', key())
  expect([refused.status, refused.headers.get('Cache-Control')]).toEqual([429, 'no-store'])
})
