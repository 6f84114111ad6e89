import { describe, expect, test } from 'vitest'
import { fingerprint, MOST_LOG_ENTRIES, mask, write } from '../../../src/sandbox/state/request-log.ts'
import type { RequestLogEntry } from '../../../src/sandbox/state/request-log.ts'
import { CALLBACK, CLIENT, open, STANDARD_KEY } from '../../kit/sandbox.ts'

const line = (number: number): RequestLogEntry => ({
  number,
  at_ms: 0,
  method: 'GET',
  path: '/',
  rule: 'served',
  cost: { month: 0 },
  seen: {},
})

test('the log drops its oldest entries when it gets too long', () => {
  const ledger: RequestLogEntry[] = []
  for (let number = 1; number <= MOST_LOG_ENTRIES + 5; number += 1) write(ledger, line(number))
  expect([ledger.length, ledger[0]?.number, ledger.at(-1)?.number]).toEqual([
    MOST_LOG_ENTRIES,
    6,
    MOST_LOG_ENTRIES + 5,
  ])
})

describe('a masked query', () => {
  test('shows public values, fingerprints of all others, and both values of a repeated parameter', () => {
    const sent = new URLSearchParams({ client_id: 'plimsoll', code: 'secret', anything: 'x' })
    sent.append('client_id', 'other')
    expect(mask(sent, () => false)).toEqual({
      client_id: 'plimsoll, other',
      code: `~${fingerprint('secret')}`,
      anything: `~${fingerprint('x')}`,
    })
  })

  test('no secret of a whole sign-in is in the request log (check 66, RFC 7662 4)', async () => {
    const { sandbox, authorize, exchange, refresh, send, key } = open()
    const code = await authorize()
    const first = await exchange(code)
    const second = await refresh(first.body.refresh_token)
    await send('/organizations/1001', { headers: { Authorization: `Bearer ${second.body.access_token}` } })
    await send('/organizations', { headers: key() })
    await send(`/rate_limit?access_token=${second.body.access_token}`)
    await send(`/${key()['X-Service-Api-Key']}/x`)
    const written = JSON.stringify(sandbox.control.requestLog())
    const secrets = [
      code,
      CLIENT.client_secret,
      key()['X-Service-Api-Key'],
      ...[first, second].flatMap(({ body }) => [body.access_token, body.refresh_token]),
    ]
    for (const secret of secrets) expect(written).not.toContain(secret)
    expect(written).toContain(CALLBACK)
  })
})

test('a secret that is sent as the name of a parameter is masked, and gets a verdict (RFC 6749 2.3.1)', async () => {
  const { bearer, send, sandbox, post } = open()
  const { Authorization } = await bearer()
  const secret = Authorization.slice('Bearer '.length)
  for (const name of [secret, STANDARD_KEY]) {
    await send(`/organizations?${name}`)
    expect(sandbox.control.requestLog().at(-1)?.verdict).toBe('secret_in_url')
    await post('/oauth2/token', { [name]: 'x' })
  }
  const log = JSON.stringify(sandbox.control.requestLog())
  expect([log.includes(secret), log.includes(STANDARD_KEY)]).toEqual([false, false])
})
