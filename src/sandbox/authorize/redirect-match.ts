/** Finds the redirect URI of a request among those of its application (5.3). */
import { isRepeated, valueOf } from '../http/form.ts'
import type { Choices } from '../choices/choices.ts'
import { redirectUrisOf } from '../state/registered.ts'
import type { Application } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'

/** U5: a request without a redirect URI uses the only registered one. */
const USES_REGISTERED: Record<Choices['redirmissing'], boolean> = { registered: true, error_page: false }

const withoutQuery = (uri: string): string => uri.split('?')[0] ?? uri
const withoutSlash = (uri: string): string => uri.replace(/\/$/, '')

/** U6. */
const COMPARISONS: Record<Choices['redirmatch'], (registered: string, sent: string) => boolean> = {
  // RFC 6749 3.1.2.3, RFC 9700 2.1: they must be equal byte for byte.
  exact: (registered, sent) => registered === sent,
  ignores_query: (registered, sent) => withoutQuery(registered) === withoutQuery(sent),
  prefix: (registered, sent) => sent.startsWith(registered),
  ignores_trailing_slash: (registered, sent) => withoutSlash(registered) === withoutSlash(sent),
}

/** RFC 6749 3.1.2: a redirect URI is absolute and has no fragment, whatever the comparison. */
export const isRedirectUri = (uri: string): boolean =>
  /^https?:[\x21-\x7e]+$/i.test(uri) && URL.canParse(uri) && !uri.includes('#')

/** The redirect URI as it was sent, or else the registered one; `undefined` if it does not match. */
export function findRedirectUri(
  application: DeepReadonly<Application>,
  query: URLSearchParams,
  { redirmissing, redirmatch }: Pick<Choices, 'redirmissing' | 'redirmatch'>,
): string | undefined {
  const registered = redirectUrisOf(application)
  const sent = valueOf(query, 'redirect_uri')
  if (isRepeated(query, 'redirect_uri')) return undefined
  // RFC 6749 3.1.2.3: if several are registered, the request must include one.
  if (sent === undefined)
    return USES_REGISTERED[redirmissing] && registered.length === 1 ? registered[0] : undefined
  const isRight = redirmatch === 'exact' || isRedirectUri(sent)
  return isRight && registered.some((one) => COMPARISONS[redirmatch](one, sent)) ? sent : undefined
}
