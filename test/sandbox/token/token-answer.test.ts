import { describe, expect, test } from 'vitest'
import { CALLBACK, CLIENT, open } from '../../kit/sandbox.ts'

type Opened = ReturnType<typeof open>

const CHARACTERS = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/
const FIELDS = {
  access_token: expect.any(String),
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: expect.any(String),
}

const exchanged = async ({ post, authorize }: Opened, changes: Record<string, string> = {}) => {
  const code = await authorize()
  const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...CLIENT, ...changes }
  return post('/oauth2/token', fields)
}

test('neither tokens nor errors are to be cached, and all are JSON (check 13, check 22, RFC 6749 5.1, 5.2)', async () => {
  const { exchange, authorize, refresh } = open()
  const answers = [
    await exchange(await authorize()),
    await exchange('bogus'),
    await refresh('bogus', { client_secret: 'wrong' }),
  ]
  for (const { headers } of answers) {
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Pragma')).toBe('no-cache')
    expect(headers.get('Content-Type')).toMatch(/^application\/json/)
  }
})

test('error words and sentences have only allowed characters (check 41, RFC 6749 5.2)', async () => {
  const evil = '"\\é\r\n<script>'
  const { token, exchange, refresh } = open()
  for (const { body } of [
    await exchange(evil),
    await refresh(evil),
    await exchange('any', { client_id: evil }),
    await exchange('any', { grant_type: evil }),
    await exchange('any', { redirect_uri: evil }),
    await token(`a=b&code=x&code=${encodeURIComponent(evil)}`),
  ]) {
    expect(Object.keys(body)).toEqual(['error', 'error_description'])
    for (const text of Object.values(body)) expect(text).toMatch(CHARACTERS)
  }
})

describe('tokstatus (U20, RFC 6749 5.1)', () => {
  test.each([
    ['json_200', 200, /^application\/json/],
    ['json_201', 201, /^application\/json/],
    ['html_200', 200, /^text\/html/],
  ] as const)('%s: %d, the fields in JSON', async (tokstatus, status, type) => {
    const answer = await exchanged(open({ choices: { tokstatus } }))
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([status, expect.stringMatching(type)])
    expect(JSON.parse(await answer.text())).toEqual(FIELDS)
  })

  test('form_200: 200, the fields as a form', async () => {
    const answer = await exchanged(open({ choices: { tokstatus: 'form_200', tokenfields: 'extra_fields' } }))
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
      200,
      'application/x-www-form-urlencoded',
    ])
    const fields = Object.fromEntries(new URLSearchParams(await answer.text()))
    expect(fields).toMatchObject({ ...FIELDS, expires_in: '3600', account: '{"id":1}' })
  })
})

describe('tokenfields (U21, 2.1)', () => {
  test.each([
    ['as_documented', FIELDS, FIELDS],
    ['expires_in_string', { ...FIELDS, expires_in: '3600' }, { ...FIELDS, expires_in: '3600' }],
    ['token_type_lowercase', { ...FIELDS, token_type: 'bearer' }, { ...FIELDS, token_type: 'bearer' }],
    ['expires_in_missing', without('expires_in'), without('expires_in')],
    ['refresh_token_missing_on_refresh', FIELDS, without('refresh_token')],
  ] as const)('%s', async (tokenfields, first, second) => {
    const { exchange, authorize, refresh } = open({ choices: { tokenfields } })
    const { body } = await exchange(await authorize())
    expect(body).toEqual(first)
    expect((await refresh(body.refresh_token)).body).toEqual(second)
  })

  test('refresh_token_missing_on_refresh: the token that was sent stays valid (U21, RFC 6749 6)', async () => {
    const { exchange, authorize, refresh } = open({
      choices: { tokenfields: 'refresh_token_missing_on_refresh' },
    })
    const { body } = await exchange(await authorize())
    for (let nth = 0; nth < 3; nth += 1) {
      const again = await refresh(body.refresh_token)
      expect([again.status, 'refresh_token' in again.body]).toEqual([200, false])
    }
  })

  test('extra_fields', async () => {
    const { exchange, authorize } = open({ choices: { tokenfields: 'extra_fields' } })
    const { body } = await exchange(await authorize())
    expect(body).toMatchObject(FIELDS)
    expect(Object.keys(body).length).toBeGreaterThan(4)
  })

  function without(name: keyof typeof FIELDS) {
    const { [name]: _, ...others } = FIELDS
    return others
  }
})

describe('tokerr: a bogus code, and a wrong secret (U22, RFC 6749 5.2)', () => {
  const known = { error: expect.any(String), error_description: expect.stringMatching(CHARACTERS) }
  test.each([
    ['json_400', [400, 401], { ...known, error: 'invalid_grant' }],
    ['json_401', [401, 401], { ...known, error: 'invalid_grant' }],
    ['json_200', [200, 200], { ...known, error: 'invalid_grant' }],
    ['message', [400, 401], { message: expect.any(String) }],
    ['errors_list', [400, 401], { errors: [{ code: 'invalid_grant', message: expect.any(String) }] }],
  ] as const)('%s answers %s', async (tokerr, statuses, body) => {
    const opened = open({ choices: { tokerr } })
    const answers = [
      await exchanged(opened, { code: 'bogus' }),
      await exchanged(opened, { client_secret: 'wrong' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    for (const { status, headers } of answers) expect(headers.has('WWW-Authenticate')).toBe(status === 401)
    expect(await answers[0]?.json()).toEqual(body)
  })

  test('html_or_empty answers a page, and an empty body', async () => {
    const opened = open({ choices: { tokerr: 'html_or_empty' } })
    const page = await exchanged(opened, { code: 'bogus' })
    expect([page.status, page.headers.get('Content-Type')]).toEqual([400, 'text/html; charset=UTF-8'])
    expect(await page.text()).toContain('<h1>')
    const empty = await exchanged(opened, { client_secret: 'wrong' })
    expect([empty.status, await empty.text()]).toEqual([401, ''])
  })
})

test.each([
  ['none', undefined],
  ['in_token_response', 'read write'],
  ['read_only', 'read'],
] as const)('scope %s: the field scope is %s (U48, RFC 6749 5.1)', async (scope, expected) => {
  const { exchange, authorize } = open({ choices: { scope } })
  expect((await exchange(await authorize())).body['scope']).toBe(expected)
})
