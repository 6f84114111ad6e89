/** What can be found out about the service, in words. */
import type { Finding, FindingName } from '../contract/evidence.ts'

export const QUESTIONS: Record<FindingName, string> = {
  month_status: 'Which status does a request get when the month is used up?',
  token_code_counts: 'Does the exchange of a sign-in code count in the month?',
  token_refresh_counts: 'Does a renewal of the access count in the month?',
  rate_limit_counts: 'Does a check of the limits count in the month?',
  failed_requests_count: 'Do requests count in the month that were refused or failed?',
  month_zones: 'In which time zone is the month reset?',
  refresh_rotates: 'Does a renewal of the access replace what the next one needs?',
  headers_describe: 'Which class of requests do the limits in an answer describe?',
}

export type FindingState = 'in_use' | 'fits' | 'open' | 'unused' | 'none'

export function findingState({ name, value, in_use, confirmable }: Finding): FindingState {
  if (value === undefined) return 'none'
  if (in_use) return 'in_use'
  if (confirmable) return 'fits'
  return name === 'refresh_rotates' ? 'unused' : 'open'
}

export const STATE_WORDS: Record<FindingState, string> = {
  in_use: 'in use',
  fits: 'fits all that was seen, and is not proven: in use once a person confirms it',
  open: 'not conclusive, so not in use',
  unused: 'known, and nothing depends on it',
  none: 'nothing was found out yet',
}

const VALUES: { [value: string]: string } = {
  class_of_limit: 'the class that has the limit they name',
  class_of_request: 'the class of the request',
  read: 'reads',
  update: 'updates',
}

/** The values at the beginning of a long list, and how many more there are. */
export function valueWords(value: string, most = 4): string {
  const values = value.split(', ').map((one) => VALUES[one] ?? one)
  if (values.length <= most + 1) return values.join(', ')
  return `${values.slice(0, most).join(', ')} and ${values.length - most} more`
}
