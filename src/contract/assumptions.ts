/**
 * Everything that the service's document marks "not shown", or leaves unsaid where we need an answer: where, what, what we
 * assume, and why. The one place to change when the real service answers differently; bff and sandbox both read it here.
 */
interface Assumption<Value> {
  /** Section of the document. */
  section: string
  /** What it leaves open. */
  question: string
  assumed: Value
  why: string
}

const table = <T extends Record<string, Assumption<unknown>>>(rows: T): T => rows

export const NOT_SHOWN = table({
  resources: {
    section: '1',
    question: 'Resources and operations beyond the five endpoints',
    assumed: 'none',
    why: 'Plimsoll needs none, and asks for none.',
  },
  record_fields: {
    section: '2.3',
    question: 'Fields of organization, project, task and other records',
    assumed: 'any JSON',
    why: 'The page draws any shape, so no field is relied on.',
  },
  states: {
    section: '3',
    question: 'States and transitions of keys, applications and grants',
    assumed: 'existing, or deleted',
    why: 'The settings screens speak of adding, editing and deleting, and of nothing else (5.1).',
  },
  redirect_parameters: {
    section: '4.1',
    question: 'Names of the parameters on the redirect',
    assumed: { code: 'code', state: 'state', error: 'error' },
    why: 'RFC 6749 4.1.2 and 4.1.2.1, since the method is that grant (5.2.1).',
  },
  denial: {
    section: '4.1',
    question: 'The response when the person does not permit',
    assumed: { error: 'access_denied' },
    why: 'RFC 6749 4.1.2.1.',
  },
  token_encoding: {
    section: '4.2',
    question: 'Encoding of the token request',
    assumed: 'form',
    why: 'RFC 6749 4.1.3 and 6. The setting PLIMSOLL_TOKEN_ENCODING sends JSON instead.',
  },
  organization_body: {
    section: '4.4',
    question: 'Body of the two organization reads',
    assumed: 'object',
    why: 'They retrieve "organization detail information" and "one organization": a thing, not a list.',
  },
  application_reach: {
    section: '5.2',
    question: 'Whether an application serves only the organization in which it is registered',
    assumed: 'any organization of the person',
    why: 'Else the parameter organization_id (5.3) would say nothing.',
  },
  scopes: {
    section: '5.5',
    question: 'Scopes',
    assumed: 'none',
    why: 'No request of the document carries one (5.3, 5.4).',
  },
  code_lifetime_seconds: {
    section: '5.5',
    question: 'Lifetime of the authorization code',
    assumed: 600,
    why: 'RFC 6749 4.1.2 recommends ten minutes at most. The bff swaps it at once, so a shorter one does no harm.',
  },
  refresh_token_lifetime_seconds: {
    section: '5.5',
    question: 'Lifetime of the refresh token',
    assumed: undefined,
    why: 'No end is named. When the service refuses one, the session ends and says so.',
  },
  refresh_token_rotates: {
    section: '5.4',
    question: 'Whether a refresh replaces the refresh token',
    assumed: true,
    why: 'RFC 9700 4.14.2, and the strictest reading: a client that forgets to keep the new one fails at once.',
  },
  credential_refusal: {
    section: '5.5',
    question: 'The response for a missing, invalid or expired credential',
    assumed: { status: 401, error: 'invalid_token' },
    why: 'RFC 6750 3.1; without any credential no error word (RFC 6750 3).',
  },
  other_organization_status: {
    section: '5.3',
    question: 'The response when a token reads another organization than its own',
    assumed: 404,
    why: 'What may not be seen is not told apart from what is not there (RFC 9110 15.5.4).',
  },
  events: {
    section: '6',
    question: 'Events and webhooks',
    assumed: 'none',
    why: 'Nothing to listen to; nothing is polled either.',
  },
  error_body: {
    section: '7',
    question: 'Shape of an error body, and the other status codes',
    assumed: { error: 'a word', error_description: 'a sentence' },
    why: 'RFC 6749 5.2. The bff decides by the status alone; only the word of a token error is read.',
  },
  window: {
    section: '2.2',
    question: 'When a window of one minute opens',
    assumed: 'with its first request',
    why: 'The plainest reading of "current one-minute window" with a count that "is reset".',
  },
  refused_requests_count: {
    section: '8',
    question: 'Whether a request answered 429 counts, in the minute and in the month',
    assumed: false,
    why: 'The ledger keeps an interval, so its upper end holds either way.',
  },
  rate_limit_read_counts: {
    section: '4.3',
    question: 'Whether GET /rate_limit counts',
    assumed: true,
    why: 'It is a GET with a token (8.2), and an API request like any other (8.3).',
  },
  month_zones: {
    section: '8.3',
    question: 'Time zone of the monthly reset',
    // 14 hours ahead of UTC, and 12 behind it: no zone lies outside.
    assumed: ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12'],
    why: 'The bff shows the span over all zones, and never one invented instant.',
  },
  month_refusal_status: {
    section: '8.3',
    question: 'The response to a request over the monthly limit',
    assumed: 429,
    why: 'Sections 7 and 8.4.3 promise 429 for any limit of section 8.',
  },
  headers_describe: {
    section: '8.4.4',
    question: 'Which class the rate-limit headers describe',
    assumed: 'the class of the request',
    why: 'The reading that makes the headers useful. Limits that belong to one class only decide first.',
  },
  versioning: { section: '9', question: 'Versioning', assumed: 'none', why: 'No request carries a version.' },
} as const)
