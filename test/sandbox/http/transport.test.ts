import { describe, expect, test } from 'vitest'
import { ConnectionReset } from '../../../src/sandbox/state/injected-fault.ts'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, START_MS } from '../../kit/sandbox.ts'

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

describe('caching (U83)', () => {
  test.each<[Choices['cache'], string | null, boolean]>([
    ['no_store', 'no-store', false],
    ['none', null, false],
    ['etag', 'private, no-cache', true],
  ])('%s: Cache-Control %s, ETag %s', async (cache, control, hasTag) => {
    const { send, key, token } = open({ choices: { cache } })
    const { headers } = await send('/organizations', { headers: key() })
    expect([headers.get('Cache-Control'), headers.has('ETag')]).toEqual([control, hasTag])
    // RFC 6749 5.1 forbids it for tokens, and a page is for one person.
    expect((await token({ grant_type: 'nothing' })).headers.get('Cache-Control')).toBe('no-store')
    expect((await send('/')).headers.get('Cache-Control')).toBe('no-store')
  })

  test('an unchanged read is answered 304, counted and without a body, and a changed one is sent', async () => {
    const { send, key, sandbox } = open({ choices: { cache: 'etag' } })
    const first = await send('/organizations', { headers: key() })
    const known = { ...key(), 'If-None-Match': first.headers.get('ETag') ?? '' }
    const second = await send('/organizations', { headers: known })
    expect([second.status, await second.text(), second.headers.get('X-RateLimit-Remaining')]).toEqual([
      304,
      '',
      '58',
    ])
    expect(second.headers.get('ETag')).toBe(first.headers.get('ETag'))
    sandbox.control.changeChoices({ orgbody: 'array' })
    expect((await send('/organizations', { headers: known })).status).toBe(200)
    expect((await send('/rate_limit', { headers: known })).status).toBe(200)
  })

  test('a 429 is not cached (check 61, RFC 6585 4)', async () => {
    for (const cache of ['no_store', 'etag'] as const) {
      const { api, key } = open({ choices: { cache } })
      const refused = await api(61, '/organizations', key())
      expect([refused.status, refused.headers.get('Cache-Control')]).toEqual([429, 'no-store'])
    }
  })
})

describe('a slow answer (U84)', () => {
  test.each<[Choices['slow'], number[]]>([
    ['none', []],
    ['seconds_2', [2000]],
    ['seconds_35', [35_000]],
  ])('the choice %s waits %j milliseconds after the request took effect', async (slow, waits) => {
    const waited: number[] = []
    const opened = open({
      choices: { slow },
      wait: async (ms) => {
        expect(opened.sandbox.snapshot().months['1001']?.count).toBe(1)
        waited.push(ms)
      },
    })
    const answer = await opened.send('/organizations', { headers: opened.key() })
    expect([answer.status, waited]).toEqual([200, waited.length === 0 ? [] : waits])
    expect(waited).toEqual(waits)
    // Pages are not delayed.
    await opened.send('/')
    expect(waited).toEqual(waits)
  })

  test('the choice never takes effect and breaks the connection after ten minutes', async () => {
    const { send, key, sandbox } = open({ choices: { slow: 'never' } })
    await expect(send('/organizations', { headers: key() })).rejects.toThrow(ConnectionReset)
    const [line] = sandbox.control.requestLog()
    expect(line).toMatchObject({ rule: 'served', cost: { minute: 'read', month: 1 } })
    expect(line).not.toHaveProperty('status')
    expect(sandbox.snapshot().months['1001']?.count).toBe(1)
    expect(sandbox.control.clock.nowMs()).toBe(START_MS + 600_000)
  })

  test('without a wait function, the clock advances by the delay', async () => {
    const { send, key, sandbox } = open({ choices: { slow: 'seconds_35' } })
    await send('/organizations', { headers: key() })
    expect(sandbox.control.clock.nowMs()).toBe(START_MS + 35_000)
  })
})
