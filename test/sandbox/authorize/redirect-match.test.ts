import { describe, expect, test } from 'vitest'
import { findRedirectUri } from '../../../src/sandbox/authorize/redirect-match.ts'
import { DEFAULT_CHOICES, type Choices } from '../../../src/sandbox/choices/choices.ts'
import { CALLBACK, open, query, seed } from '../../kit/sandbox.ts'

const application = seed().applications[0]!
const find = (redirect_uri: string | undefined, choices: Partial<Choices> = {}, known = application) =>
  findRedirectUri(known, new URLSearchParams(query({ redirect_uri })), { ...DEFAULT_CHOICES, ...choices })

describe('redirmatch: the comparison of redirect URIs (U6, RFC 6749 3.1.2.3)', () => {
  test.each<[Choices['redirmatch'], string[], string[]]>([
    ['exact', [''], ['?a=b', '/', '/more', '.example']],
    ['ignores_query', ['', '?a=b', '?'], ['/', '/more', '/?a=b']],
    ['prefix', ['', '?a=b', '/', '/more', '.example'], []],
    ['ignores_trailing_slash', ['', '/'], ['?a=b', '//', '/more']],
  ])('%s takes %j and not %j behind it', (redirmatch, taken, refused) => {
    for (const more of taken) expect(find(CALLBACK + more, { redirmatch })).toBe(CALLBACK + more)
    for (const more of refused) expect(find(CALLBACK + more, { redirmatch })).toBeUndefined()
  })

  test('every comparison refuses another host and a fragment', () => {
    for (const redirmatch of ['exact', 'ignores_query', 'prefix', 'ignores_trailing_slash'] as const)
      for (const uri of [
        'http://localhost:3001/callback',
        `${CALLBACK}#`,
        'javascript:alert(1)',
        'x',
        `${CALLBACK}\r\nX: y`,
      ])
        expect(find(uri, { redirmatch })).toBeUndefined()
  })

  test('the redirect goes to the URI that was sent, and the exchange must name it', async () => {
    const { answer, exchange } = open({ choices: { redirmatch: 'ignores_query' } })
    const redirect_uri = `${CALLBACK}?a=b`
    const back = await answer('permit', { redirect_uri })
    expect(back.startsWith(`${redirect_uri}&code=`)).toBe(true)
    const code = new URL(back).searchParams.get('code') ?? ''
    expect((await exchange(code)).body.error).toBe('invalid_grant')
    expect((await exchange(code, { redirect_uri })).status).toBe(200)
  })
})

describe('redirmissing (U5, RFC 6749 3.1.2.3)', () => {
  test.each([
    ['registered', 200],
    ['error_page', 400],
  ] as const)('%s: without a redirect URI the page answers %d', async (redirmissing, status) => {
    const { send, authorizePath } = open({ choices: { redirmissing } })
    expect((await send(authorizePath({ redirect_uri: undefined }))).status).toBe(status)
    expect((await send(authorizePath({ redirect_uri: '' }))).status).toBe(status)
    expect((await send(authorizePath())).status).toBe(200)
  })

  test('a request must name one if several are registered', () => {
    const known = { ...application, more_redirect_uris: ['https://b.example/cb'] }
    expect(find(undefined, {}, known)).toBeUndefined()
    expect(find('https://b.example/cb', {}, known)).toBe('https://b.example/cb')
    expect(find(CALLBACK, {}, known)).toBe(CALLBACK)
  })
})
