/** Compares the app's findings about the service with the choices and the service's count. */
import type { Finding, FindingName } from '../../src/contract/evidence.ts'
import { monthBounds } from '../../src/contract/month.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import type { RequestLogEntry } from '../../src/sandbox/state/request-log.ts'
import type { MonthCount } from '../../src/sandbox/state/state.ts'
import type { LearntCheck } from './recording.ts'

export interface Truth {
  choices: Choices
  lines: readonly RequestLogEntry[]
  /** The log lines of all organizations. */
  months: readonly MonthCount[]
}

const MONTH_STATUS: Record<Choices['monthly'], string> = {
  status_429: '429',
  status_403: '403',
  status_402: '402',
  error_200: '200',
  status_401: '401',
}

/** The class that the headers of a read visibly describe. */
const DESCRIBED: Record<Choices['hdrclass'], readonly string[]> = {
  of_request: ['class_of_request'],
  read: ['class_of_request'],
  update: ['update'],
  fewer_remaining: ['class_of_request', 'update'],
}

const isTokenCounted = ({ lines }: Truth): string =>
  lines.some(({ path, cost }) => path === '/oauth2/token' && cost.month > 0) ? 'yes' : 'no'

const IS_TRUE: { [Name in FindingName]?: (value: string, truth: Truth) => boolean } = {
  month_status: (value, { choices }) => value === MONTH_STATUS[choices.monthly],
  token_code_counts: (value, truth) => value === isTokenCounted(truth),
  token_refresh_counts: (value, truth) => value === isTokenCounted(truth),
  rate_limit_counts: (value, { choices }) =>
    value === (choices.ratelimitcount === 'minute_and_month' ? 'yes' : 'no'),
  month_zones: (value, { months }) =>
    months.every(({ starts_at_ms: startMs, ends_at_ms: endMs }) =>
      value.split(', ').some((zone) => {
        const bounds = monthBounds(startMs, zone)
        return bounds.startMs === startMs && bounds.endMs === endMs
      }),
    ),
  refresh_rotates: (value, { choices }) =>
    value ===
    // An answer without a refresh token leaves the present one valid.
    (choices.rotation === 'same' || choices.tokenfields === 'refresh_token_missing_on_refresh'
      ? 'no'
      : 'yes'),
  headers_describe: (value, { choices }) => DESCRIBED[choices.hdrclass].includes(value),
}

/**
 * Each finding that the app uses, and each that the answers agree on, with true if it is right. Findings that
 * only a person can confirm are left out.
 */
export const checksOf = (at: string, findings: readonly Finding[], truth: Truth): LearntCheck[] =>
  findings.flatMap(({ name, value, confirmable }) =>
    value === undefined || confirmable
      ? []
      : [{ at, name, value, isTrue: IS_TRUE[name]?.(value, truth) ?? true }],
  )
