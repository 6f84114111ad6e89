import { describe, expect, test } from 'vitest'
import { CALLBACK, CLIENT, open, query } from '../../kit/sandbox.ts'

const verdicts = ({ sandbox }: ReturnType<typeof open>) =>
  sandbox.control.requestLog().flatMap(({ verdict, verdicts: all }) => all ?? verdict ?? [])

test('a correct client gets no verdict', async () => {
  const opened = open()
  const first = await opened.exchange(await opened.authorize())
  const second = await opened.refresh(first.body.refresh_token)
  const headers = { Authorization: `Bearer ${second.body.access_token}` }
  await opened.send('/organizations/1001', { headers })
  await opened.send('/rate_limit', { headers })
  expect(verdicts(opened)).toEqual([])
})

describe('refresh_token_used_twice', () => {
  test.each(['new_old_revoked', 'new_old_valid'] as const)(
    'is given for a token that was replaced, with %s (RFC 6749 6)',
    async (rotation) => {
      const opened = open({ choices: { rotation } })
      const { body } = await opened.exchange(await opened.authorize())
      await opened.refresh(body.refresh_token)
      expect(verdicts(opened)).toEqual([])
      await opened.refresh(body.refresh_token)
      expect(verdicts(opened)).toEqual(['refresh_token_used_twice'])
    },
  )

  test('is not given if the service answers with the same token', async () => {
    const opened = open({ choices: { rotation: 'same' } })
    const { body } = await opened.exchange(await opened.authorize())
    for (let nth = 0; nth < 3; nth += 1) await opened.refresh(body.refresh_token)
    expect(verdicts(opened)).toEqual([])
  })

  test('is not given after a lost answer, but after invalid_grant', async () => {
    const opened = open()
    const { body } = await opened.exchange(await opened.authorize())
    opened.sandbox.control.addFault({ operation: 'token', kind: 'lost' })
    await expect(opened.refresh(body.refresh_token)).rejects.toThrow('broke the connection')
    await opened.refresh(body.refresh_token)
    expect(verdicts(opened)).toEqual([])
    await opened.refresh(body.refresh_token)
    expect(verdicts(opened)).toEqual(['refresh_token_used_twice'])
  })
})

test('the second of two at once with one code or token is found (check 50, check 51, RFC 6749 4.1.2)', async () => {
  const opened = open()
  const code = await opened.authorize()
  const [one, other] = await Promise.all([opened.exchange(code), opened.exchange(code)])
  expect(one.status + other.status).toBe(600)
  expect(verdicts(opened)).toEqual(['code_sent_twice'])
  const { body } = await opened.exchange(await opened.authorize())
  await Promise.all([opened.refresh(body.refresh_token), opened.refresh(body.refresh_token)])
  expect(verdicts(opened)).toEqual(['code_sent_twice', 'refresh_token_used_twice'])
})

test('code_sent_twice is also given after a lost answer (RFC 6749 4.1.2)', async () => {
  const opened = open()
  const code = await opened.authorize()
  opened.sandbox.control.addFault({ operation: 'token', kind: 'truncate' })
  await expect(opened.exchange(code)).rejects.toThrow('broke the connection')
  await opened.exchange(code)
  expect(verdicts(opened)).toEqual(['code_sent_twice'])
})

describe('sent_while_over', () => {
  test('is given after 0 remaining and after a 429 until the reset, by class and credential (8.4)', async () => {
    const opened = open()
    const { clock, api, send, key } = opened
    await api(60, '/organizations', key())
    expect(verdicts(opened)).toEqual([])
    await send('/organizations', { method: 'POST', headers: key() })
    await send('/organizations', { headers: key(2002) })
    expect(verdicts(opened)).toEqual([])
    await send('/organizations', { headers: key() })
    expect(verdicts(opened)).toEqual(['sent_while_over'])
    clock.ms += 60_000
    await send('/organizations', { headers: key() })
    expect(verdicts(opened)).toHaveLength(1)
  })

  test('is not given if the answer was lost', async () => {
    const opened = open()
    await opened.api(59, '/organizations', opened.key())
    opened.sandbox.control.addFault({ operation: 'organizations', kind: 'lost' })
    await expect(opened.api(1, '/organizations', opened.key())).rejects.toThrow('broke the connection')
    await opened.api(1, '/organizations', opened.key())
    expect(verdicts(opened)).toEqual([])
  })
})

describe('secret_in_url', () => {
  test.each([
    ['the name of a parameter', '/rate_limit?access_token=anything'],
    ['a key under another name', '/rate_limit?k=key-of-standard'],
    ['a key in the path', '/organizations/key-of-standard'],
    ['a key as the name of a parameter', '/rate_limit?key-of-standard=&x=1'],
    ['the secret of the application', `/oauth2/token?${query(CLIENT)}`],
  ])('is given for %s (RFC 6749 2.3.1)', async (_, path) => {
    const opened = open()
    await opened.send(path, { headers: opened.key() })
    expect(verdicts(opened)).toContain('secret_in_url')
    expect(JSON.stringify(opened.sandbox.control.requestLog())).not.toMatch(/key-of-standard|the-secret/)
  })

  test('is not given for the parameters of 5.3', async () => {
    const opened = open()
    await opened.send(opened.authorizePath())
    expect(verdicts(opened)).toEqual([])
  })
})

describe('two_credentials', () => {
  test('is given for both headers, and for Basic beside a secret in the body (RFC 6749 2.3)', async () => {
    const opened = open()
    await opened.send('/organizations', { headers: { ...opened.key(), Authorization: 'Bearer x' } })
    const fields = { grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK, ...CLIENT }
    await opened.token(fields, { Authorization: `Basic ${btoa('plimsoll:the-secret')}` })
    expect(verdicts(opened)).toEqual(['two_credentials', 'two_credentials'])
  })
})

test.each(['/tasks', '/oauth2/authorize', '/oauth2/revoke', '/organisations/1001', '/a/organizations/1001'])(
  '%s is an unknown endpoint (4)',
  async (path) => {
    const opened = open()
    await opened.send(path, { headers: opened.key(), method: 'POST' })
    expect(verdicts(opened)).toEqual(['unknown_endpoint'])
  },
)

test.each(['/', '/projects', '/plan?organization_id=9', '/organizations/9', '/rate_limit'])(
  '%s is a known endpoint',
  async (path) => {
    const opened = open()
    await opened.send(path, { headers: opened.key() })
    expect(verdicts(opened)).toEqual([])
  },
)
