/** Filters the entries of the request log by the kind of the request and by the answer. */
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import { CONSENT_PATH } from '../authorize/consent.tsx'
import type { RequestLogEntry } from '../state/request-log.ts'
import type { DeepReadonly } from '../state/state.ts'
import { REVOCATION_PATH } from '../token/revocation.ts'

type Entry = DeepReadonly<RequestLogEntry>

interface Filter {
  name: string
  shows: (entry: Entry) => boolean
}

const SIGN_IN_PATHS: readonly string[] = [AUTHORIZATION_PATH, CONSENT_PATH]
const TOKEN_PATHS: readonly string[] = [TOKEN_PATH, REVOCATION_PATH]
const PAGE_PATH = /^\/(projects|plan|settings)?(\/|$)/

const ALL: Filter = { name: 'all', shows: () => true }
const SIGN_IN: Filter = { name: 'sign-in and consent', shows: ({ path }) => SIGN_IN_PATHS.includes(path) }
const TOKENS: Filter = { name: 'tokens', shows: ({ path }) => TOKEN_PATHS.includes(path) }
const OTHER_PAGES: Filter = { name: 'other pages', shows: ({ path }) => PAGE_PATH.test(path) }
const byStatus = (name: string, from: number): Filter => ({
  name,
  shows: ({ status = 0 }) => status >= from && status < from + 100,
})

export const KIND_FILTERS: Record<string, Filter> = {
  '': ALL,
  api: {
    name: 'API',
    shows: (entry) => [SIGN_IN, TOKENS, OTHER_PAGES].every(({ shows }) => !shows(entry)),
  },
  tokens: TOKENS,
  sign_in: SIGN_IN,
  pages: OTHER_PAGES,
}

export const ANSWER_FILTERS: Record<string, Filter> = {
  '': ALL,
  '2xx': byStatus('2xx, served', 200),
  '3xx': byStatus('3xx, redirected', 300),
  '4xx': byStatus('4xx, refused', 400),
  '429': { name: '429, over a limit', shows: ({ status }) => status === 429 },
  '5xx': byStatus('5xx, failed', 500),
  none: { name: 'none', shows: ({ status }) => status === undefined },
  fault: { name: 'with a fault', shows: ({ rule }) => rule.startsWith('fault_') },
  verdict: { name: 'with a verdict', shows: ({ verdict }) => verdict !== undefined },
}

export function filterLog<Shown extends Entry>(entries: readonly Shown[], query: URLSearchParams): Shown[] {
  const kind = KIND_FILTERS[filterOf(query, 'kind', KIND_FILTERS)] ?? ALL
  const answer = ANSWER_FILTERS[filterOf(query, 'answer', ANSWER_FILTERS)] ?? ALL
  return entries.filter((entry) => kind.shows(entry) && answer.shows(entry))
}

/** The chosen filter; '' stands for all. */
export function filterOf(query: URLSearchParams, name: string, filters: Record<string, Filter>): string {
  const chosen = query.get(name) ?? ''
  return Object.hasOwn(filters, chosen) ? chosen : ''
}
