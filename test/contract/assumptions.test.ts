import { expect, test } from 'vitest'
import { readSettings } from '../../src/serve/settings/settings.ts'
import { ASSUMED, type Assumptions } from '../../src/contract/assumptions.ts'
import { answerMeaning } from '../../src/contract/answer-meaning.ts'
import { readCallback } from '../../src/contract/authorize.ts'
import { isErrorBody } from '../../src/contract/json.ts'
import { countRequests, monthsAt, type KindCount } from '../../src/contract/month.ts'
import { planPage } from '../../src/contract/readings.ts'
import { kindsInReadMinute } from '../../src/contract/rate-limit.ts'
import { DEFAULT_CHOICES, type Choices } from '../../src/sandbox/choices/choices.ts'

type Row = keyof Assumptions

const STATE = 'state-of-sixteen'
const callback = (query: string) => (assumed: Assumptions) => {
  try {
    return readCallback(new URLSearchParams(query), assumed)
  } catch (error) {
    return (error as { code: string }).code
  }
}
const names = ASSUMED.redirect_parameters
const succeeded = (kind: KindCount['kind']): KindCount => ({
  kind,
  outcome: 'settled',
  succeeded: true,
  count: 1,
})
const countsOf = (count: KindCount) => (assumed: Assumptions) => countRequests([count], assumed)
const meaningOf = (status: number, text: string) => (assumed: Assumptions) =>
  answerMeaning(
    { kind: 'api.read', status, headers: new Headers(), text },
    { serviceNowMs: 0, month: { sent: 99, limit: 100 } },
    assumed,
  ).code

/** For each row: other values, and a result of the code that depends on it. */
const FLIPS: { [Name in Row]: [other: Assumptions[Name], seen: (assumed: Assumptions) => unknown][] } = {
  redirect_parameters: [
    [{ ...names, code: 'auth_code' }, callback(`code=c&state=${STATE}`)],
    [{ ...names, state: 'st' }, callback(`code=c&state=${STATE}`)],
    [{ ...names, error: 'err' }, callback(`code=c&state=${STATE}&error=access_denied`)],
  ],
  denial_error: [['denied', callback('error=access_denied')]],
  token_encoding: [['json', (assumed) => readSettings({}, String, assumed).tokenEncoding]],
  error_members: [[['error'], (assumed) => isErrorBody('{"message":"x"}', assumed)]],
  other_error_members: [[[], (assumed) => isErrorBody('{"error":"x","title":"y"}', assumed)]],
  month_status: [
    [403, meaningOf(402, '')],
    [403, meaningOf(401, '')],
    [401, meaningOf(403, '')],
    [403, meaningOf(200, '{"error":"x"}')],
  ],
  rate_limit_read_counts_in_minute: [[false, (assumed) => kindsInReadMinute(assumed)]],
  counts_in_month: (Object.keys(ASSUMED.counts_in_month) as KindCount['kind'][]).map((kind) => [
    { ...ASSUMED.counts_in_month, [kind]: 'no' },
    countsOf(succeeded(kind)),
  ]),
  failed_requests_count_in_month: [['yes', countsOf({ ...succeeded('api.read'), succeeded: false })]],
  month_zones: [[['Asia/Tokyo'], (assumed) => monthsAt(Date.UTC(2026, 10, 21), assumed)]],
  plan_page: [['/settings/plan', (assumed) => planPage('', undefined, assumed)]],
}

const flips = Object.entries(FLIPS).flatMap(([row, cases]) =>
  cases.map(([other, seen]) => [row, other, seen] as const),
)

test.each(flips)('%s changes what the code does when it is %j (docs/service.md)', (row, other, seen) => {
  expect(seen({ ...ASSUMED, [row]: other })).not.toEqual(seen(ASSUMED))
})

/** The rows for which the sandbox has a choice too, and the default of that choice. */
const SAME_IN_SANDBOX: { [Name in Row]?: [value: Assumptions[Name], choices: Partial<Choices>] } = {
  redirect_parameters: [{ code: 'code', state: 'state', error: 'error' }, { redir: 'query' }],
  denial_error: ['access_denied', { deny: 'redirect_access_denied' }],
  token_encoding: ['form', { enc: 'form_only' }],
  error_members: [
    ['error', 'errors', 'message', 'detail'],
    { errbody: 'error_description', tokerr: 'json_400' },
  ],
  rate_limit_read_counts_in_minute: [true, { ratelimitcount: 'minute_and_month' }],
}

test.each(Object.entries(SAME_IN_SANDBOX))(
  'the sandbox does by default what the client assumes of %s (docs/service.md)',
  (row, [value, choices]) => {
    expect(ASSUMED[row as Row]).toEqual(value)
    expect(DEFAULT_CHOICES).toMatchObject(choices)
  },
)

test('the default count of the sandbox in the month lies in the interval of the client (8.3)', () => {
  expect(DEFAULT_CHOICES).toMatchObject({
    ratelimitcount: 'minute_and_month',
    toklimit: 'not_counted',
    failcount: 'valid_credential',
    refusedcount: 'none',
    tz: 'utc',
  })
  const counted: [KindCount, number][] = [
    [succeeded('api.read'), 1],
    [succeeded('api.update'), 1],
    [succeeded('rate_limit'), 1],
    [succeeded('token.code'), 0],
    [succeeded('token.refresh'), 0],
    // A failed request counts with a valid credential; one refused by a limit does not.
    [{ ...succeeded('api.read'), succeeded: false }, 1],
    [{ ...succeeded('api.read'), succeeded: false }, 0],
  ]
  for (const [kindCount, counts] of counted) {
    const { low, high } = countRequests([kindCount])
    expect(low).toBeLessThanOrEqual(counts)
    expect(high).toBeGreaterThanOrEqual(counts)
  }
  expect(ASSUMED.month_zones).toContain('UTC')
})
