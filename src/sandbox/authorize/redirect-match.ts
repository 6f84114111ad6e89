/** Finds the redirect URI of a request among those of its application (5.3). */
import { isRepeated, valueOf } from '../http/form.ts'
import type { Choices } from '../choices/choices.ts'
import { redirectUrisOf } from '../state/registered.ts'
import type { Application, Frozen } from '../state/state.ts'

/** Whether a request without a redirect URI goes on where there is one to take (U5). */
const MISSING: Record<Choices['redirmissing'], boolean> = { registered: true, error_page: false }

const withoutQuery = (uri: string): string => uri.split('?')[0] ?? uri
const withoutSlash = (uri: string): string => uri.replace(/\/$/, '')

/** How the registered one and the one that was sent are compared (U6). */
const COMPARISONS: Record<Choices['redirmatch'], (registered: string, sent: string) => boolean> = {
  // RFC 6749 3.1.2.3, RFC 9700 2.1: byte for byte.
  exact: (registered, sent) => registered === sent,
  ignores_query: (registered, sent) => withoutQuery(registered) === withoutQuery(sent),
  prefix: (registered, sent) => sent.startsWith(registered),
  ignores_trailing_slash: (registered, sent) => withoutSlash(registered) === withoutSlash(sent),
}

/** RFC 6749 3.1.2: a whole address, never with a fragment, however loosely they are compared. */
export const isAddress = (uri: string): boolean =>
  /^https?:[\x21-\x7e]+$/i.test(uri) && URL.canParse(uri) && !uri.includes('#')

/** The redirect URI to go back to, as it was sent, or as it is registered where none was; `undefined` for none that is right. */
export function findRedirectUri(
  application: Frozen<Application>,
  query: URLSearchParams,
  { redirmissing, redirmatch }: Pick<Choices, 'redirmissing' | 'redirmatch'>,
): string | undefined {
  const registered = redirectUrisOf(application)
  const sent = valueOf(query, 'redirect_uri')
  if (isRepeated(query, 'redirect_uri')) return undefined
  // RFC 6749 3.1.2.3: of several, the request has to name one.
  if (sent === undefined) return MISSING[redirmissing] && registered.length === 1 ? registered[0] : undefined
  const isRight = redirmatch === 'exact' || isAddress(sent)
  return isRight && registered.some((one) => COMPARISONS[redirmatch](one, sent)) ? sent : undefined
}
