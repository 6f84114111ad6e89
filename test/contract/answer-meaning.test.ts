import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerMeaning, type KnownState, type MinuteUse } from '../../src/contract/answer-meaning.ts'
import type { Assumptions } from '../../src/contract/assumptions.ts'
import type { RequestKind } from '../../src/contract/month.ts'
import type { Reason } from '../../src/contract/reason.ts'
import { readRateHeaders } from '../../src/contract/rate-limit.ts'

const NOW = 1_800_000_000
const RECORD = '{"id":1}'
const PLAIN: Omit<KnownState, 'serviceNowMs'> = { month: { sent: 3, limit: 100 } }
const MONTH_END = { month: { sent: 90, limit: 100 } }
const EXPIRED = { tokenExpired: true }

function meaning(
  kind: RequestKind,
  status: number,
  {
    text = RECORD,
    headers = {},
    ...known
  }: Partial<KnownState> & { text?: string; headers?: HeadersInit } = {},
) {
  const answer = { kind, status, text, headers: new Headers(headers) }
  return answerMeaning(answer, { serviceNowMs: NOW * 1000, ...PLAIN, ...known })
}

const ERROR = '{"error":"over"}'
type Case = [number, Parameters<typeof meaning>[2], ReturnType<typeof meaning>['code'], renew?: boolean]

describe('a read of an organization', () => {
  const cases: Case[] = [
    [200, {}, 'success'],
    [299, {}, 'success'],
    [200, { text: 'no JSON' }, 'unexpected_reply'],
    [200, { text: ERROR }, 'unexpected_reply'],
    [200, { text: ERROR, ...MONTH_END }, 'month_suspected'],
    [200, MONTH_END, 'success'],
    [300, {}, 'unexpected_reply'],
    [302, MONTH_END, 'unexpected_reply'],
    [402, {}, 'month_suspected'],
    [402, EXPIRED, 'month_suspected'],
    [401, {}, 'credential_refused', true],
    [401, EXPIRED, 'credential_refused', true],
    [401, MONTH_END, 'month_suspected'],
    [401, { ...MONTH_END, ...EXPIRED }, 'month_suspected'],
    [401, { month: { sent: 89, limit: 100 } }, 'credential_refused', true],
    [401, { month: { sent: 90, limit: undefined } }, 'credential_refused', true],
    [403, {}, 'organization_refused'],
    [403, EXPIRED, 'organization_refused', true],
    [403, MONTH_END, 'month_suspected'],
    [440, {}, 'credential_refused'],
    [440, EXPIRED, 'credential_refused', true],
    [440, MONTH_END, 'credential_refused'],
    [400, {}, 'organization_refused'],
    [404, EXPIRED, 'organization_refused'],
    [404, MONTH_END, 'organization_refused'],
    [405, {}, 'unexpected_reply'],
    [418, {}, 'unexpected_reply'],
    [500, {}, 'upstream_failed'],
    [503, MONTH_END, 'upstream_failed'],
    [199, {}, 'unexpected_reply'],
  ]
  test.each(cases)(
    '%i with %j means %s (5.5, 7, 8.3, RFC 9110 15.3)',
    (status, known, code, renew = false) => {
      const found = meaning('api.read', status, known)
      expect(found).toMatchObject({ code, renew })
      expect(found.reasons).toHaveLength(code === 'month_suspected' ? 1 : 0)
      expect(meaning('api.update', status, known)).toEqual(found)
    },
  )
})

test.each([
  [200, {}, 'success', false],
  [402, {}, 'month_suspected', false],
  [400, {}, 'unexpected_reply', false],
  [403, {}, 'unexpected_reply', false],
  [403, EXPIRED, 'unexpected_reply', true],
  [404, {}, 'unexpected_reply', false],
  [401, {}, 'credential_refused', true],
])('for GET /rate_limit a %i with %j refuses no organization: %s (4.3)', (status, known, code, renew) => {
  expect(meaning('rate_limit', status, known)).toMatchObject({ code, renew })
})

test.each<[number, Parameters<typeof meaning>[2], Reason]>([
  [402, {}, { code: 'payment_asked' }],
  [401, MONTH_END, { code: 'refused_near_the_end_of_the_month' }],
  [200, { text: ERROR, ...MONTH_END }, { code: 'refused_near_the_end_of_the_month' }],
])('a %i with %j is suspected to be of the month for a reason: %j (8.3)', (status, known, reason) => {
  expect(meaning('api.read', status, known).reasons).toEqual([reason])
})

test.each<[number, ReturnType<typeof meaning>['code']]>([
  [200, 'success'],
  [401, 'credential_refused'],
  [429, 'limit_unknown'],
])('a %i of which nothing else is known means %s (7)', (status, code) => {
  const answer = { kind: 'api.read', status, text: RECORD, headers: new Headers() } as const
  expect(answerMeaning(answer, { serviceNowMs: NOW * 1000 }).code).toBe(code)
})

describe('the token endpoint', () => {
  const word = (error: string) => JSON.stringify({ error })
  test.each<[number, string, string, string]>([
    [200, RECORD, 'success', 'success'],
    [201, '', 'success', 'success'],
    [200, word('invalid_grant'), 'code_rejected', 'access_withdrawn'],
    [400, word('invalid_grant'), 'code_rejected', 'access_withdrawn'],
    [401, word('invalid_grant'), 'code_rejected', 'access_withdrawn'],
    [200, '{"code":"invalid_grant"}', 'code_rejected', 'access_withdrawn'],
    [200, '{"errors":[{"code":"invalid_grant"}]}', 'code_rejected', 'access_withdrawn'],
    [200, '{"errors":[{},{"code":"invalid_grant"}]}', 'success', 'success'],
    [200, '{"errors":[null]}', 'success', 'success'],
    [200, '{"errors":null}', 'success', 'success'],
    [200, '["invalid_grant"]', 'success', 'success'],
    [200, 'null', 'success', 'success'],
    [400, '<h1>Bad Request</h1>', 'code_rejected', 'unexpected_reply'],
    [400, word('access_withdrawn'), 'code_rejected', 'unexpected_reply'],
    [400, word('server_error'), 'upstream_failed', 'upstream_failed'],
    [400, word('temporarily_unavailable'), 'upstream_failed', 'upstream_failed'],
    [401, word('server_error'), 'upstream_failed', 'upstream_failed'],
    [404, '', 'unexpected_reply', 'unexpected_reply'],
    [408, word('invalid_grant'), 'upstream_failed', 'upstream_failed'],
    [425, '', 'upstream_failed', 'upstream_failed'],
    [400, word('invalid_client'), 'client_rejected', 'client_rejected'],
    [200, word('unauthorized_client'), 'client_rejected', 'client_rejected'],
    [401, 'no JSON', 'client_rejected', 'client_rejected'],
    [401, word('invalid_request'), 'unexpected_reply', 'unexpected_reply'],
    [400, word('invalid_scope'), 'unexpected_reply', 'unexpected_reply'],
    [402, RECORD, 'unexpected_reply', 'unexpected_reply'],
    [403, RECORD, 'unexpected_reply', 'unexpected_reply'],
    [302, RECORD, 'unexpected_reply', 'unexpected_reply'],
    [429, word('invalid_client'), 'limit_unknown', 'limit_unknown'],
    [500, word('invalid_client'), 'upstream_failed', 'upstream_failed'],
  ])('answers %i %s: %s to the exchange, %s to the refresh (RFC 6749 5.2)', (status, text, code, refresh) => {
    expect([
      meaning('token.code', status, { text }).code,
      meaning('token.refresh', status, { text }).code,
    ]).toEqual([code, refresh])
  })

  test('at the end of a month it means the same: its requests are no reads (8.3)', () => {
    expect(meaning('token.refresh', 401, { ...MONTH_END, text: '' }).code).toBe('client_rejected')
  })
})

test.each<[RequestKind, number, string | undefined, number | undefined]>([
  ['api.read', 503, '7', 7000],
  ['api.read', 503, undefined, undefined],
  ['api.read', 404, '7', undefined],
  ['token.code', 503, '7', 7000],
  ['token.code', 429, '7', 7000],
  ['token.code', 429, undefined, undefined],
  ['token.refresh', 408, '7', 7000],
  ['token.code', 429, '0', 0],
])('%s %i with Retry-After: %s asks to wait %s ms (RFC 9110 10.2.3)', (kind, status, retryAfter, waitMs) => {
  const headers: HeadersInit = retryAfter === undefined ? {} : { 'Retry-After': retryAfter }
  expect(meaning(kind, status, { headers }).retryInMs).toBe(waitMs)
})

function limited(
  remaining?: number,
  reset?: number,
  { retryAfter, ...minute }: Partial<MinuteUse> & { retryAfter?: number } = {},
) {
  const headers = new Headers()
  if (remaining !== undefined) headers.set('X-RateLimit-Remaining', String(remaining))
  if (reset !== undefined) headers.set('X-RateLimit-Reset', String(reset))
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter))
  const reading = readRateHeaders(headers, NOW)
  return meaning('api.read', 429, {
    headers,
    minute: { reading, sent: 60, limit: 60, unknownBefore: false, ...minute },
  })
}

const FAR = { code: 'reset_is_far' }
const AGAIN = { code: 'refused_again' }

describe('a 429', () => {
  test.each([
    [0, NOW + 20, 21_000],
    [-4, NOW + 64, 65_000],
    [0, NOW + 65, 66_000],
    [0, NOW - 100, 1000],
  ])(
    'with %d left and the reset at %d is of the minute, for %d ms (8.4.3)',
    (remaining, reset, retryInMs) => {
      expect(limited(remaining, reset)).toEqual({
        code: 'rate_limited',
        renew: false,
        retryInMs,
        reasons: [{ code: 'minute_used_up' }],
      })
    },
  )

  test.each([
    [0, 'rate_limited', 21_000, { code: 'minute_used_up' }],
    [30, 'rate_limited', 30_000, { code: 'short_wait_asked' }],
    [65, 'rate_limited', 65_000, { code: 'short_wait_asked' }],
    [66, 'month_suspected', undefined, { code: 'long_wait_asked' }],
  ])(
    'with Retry-After: %d is %s whatever the reset is (RFC 9110 10.2.3)',
    (retryAfter, code, retryInMs, reason) => {
      const wait = retryInMs === undefined ? {} : { retryInMs }
      expect(limited(0, NOW + 20, { retryAfter })).toEqual({ code, renew: false, ...wait, reasons: [reason] })
    },
  )

  test.each([
    ['requests of the minute are left', () => limited(1, NOW + 20), { code: 'minute_has_requests_left' }],
    ['the reset is further away than a minute', () => limited(0, NOW + 66), FAR],
    ['the reset is further away than an hour', () => limited(0, NOW + 86_400), FAR],
    [
      'the reset is further away than an hour, and nothing else is known',
      () => limited(undefined, NOW + 86_400),
      FAR,
    ],
    [
      'there are no headers and few were sent',
      () => limited(undefined, undefined, { sent: 29 }),
      { code: 'few_were_sent' },
    ],
    [
      'it is the second unknown one and the minute was not full',
      () => limited(undefined, NOW + 20, { unknownBefore: true, sent: 59 }),
      AGAIN,
    ],
    [
      'it is the second unknown one and no limit was seen',
      () => limited(undefined, undefined, { unknownBefore: true, limit: undefined }),
      AGAIN,
    ],
  ])('is suspected to be of the month when %s, without a wait of a minute (8.3)', (_why, refusal, reason) => {
    expect(refusal()).toEqual({ code: 'month_suspected', renew: false, reasons: [reason] })
  })

  test.each([
    ['half of the minute was sent', () => limited(undefined, undefined, { sent: 30 })],
    ['no limit was seen', () => limited(undefined, undefined, { sent: 0, limit: undefined })],
    ['there is a reset and no remaining', () => limited(undefined, NOW + 20, { sent: 0 })],
    ['the reset is a little further away, and no remaining', () => limited(undefined, NOW + 66, { sent: 0 })],
    [
      'only the limit is in the headers',
      () => limited(undefined, undefined, { sent: 0, reading: { limit: 60 } }),
    ],
    ['there is no reset', () => limited(0, undefined, { sent: 0 })],
    [
      'it is the second one, and the minute was full',
      () => limited(undefined, undefined, { unknownBefore: true }),
    ],
  ])('is of an unknown limit when %s, and the pause is a minute (7)', (_why, refusal) => {
    expect(refusal()).toEqual({
      code: 'limit_unknown',
      renew: false,
      retryInMs: 60_000,
      reasons: [{ code: 'limit_not_named' }],
    })
  })

  test('has a reason, and a wait of at least a second (8.4.3)', () => {
    const maybe = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined })
    const minutes = fc.record({
      retryAfter: fc.integer({ min: 0, max: 100 }),
      sent: fc.nat(100),
      limit: maybe(0, 600),
      unknownBefore: fc.boolean(),
    })
    fc.assert(
      fc.property(maybe(-5, 60), maybe(NOW - 200, NOW + 5000), minutes, (remaining, reset, minute) => {
        const { code, reasons, retryInMs = 1000 } = limited(remaining, reset, minute)
        expect(['rate_limited', 'month_suspected', 'limit_unknown']).toContain(code)
        expect(reasons).toHaveLength(1)
        expect(retryInMs).toBeGreaterThanOrEqual(1000)
        expect(retryInMs).toBeLessThanOrEqual(66_000)
      }),
    )
  })
})

test('once it is known which status a used-up month has, that one means it, and no other does (8.3)', () => {
  const meansWith = (status: number, month_status: Assumptions['month_status']) =>
    answerMeaning(
      { kind: 'api.read', status, text: RECORD, headers: new Headers() },
      { serviceNowMs: NOW * 1000, ...MONTH_END },
      { month_status },
    ).code
  expect([meansWith(402, 402), meansWith(403, 403)]).toEqual(['month_suspected', 'month_suspected'])
  expect([meansWith(402, 403), meansWith(403, 402)]).toEqual(['unexpected_reply', 'organization_refused'])
})
