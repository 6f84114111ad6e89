/**
 * `WWW-Authenticate`, always with a realm: RFC 6750 3 asks for at least one parameter.
 * @param error absent if the request had no credential (RFC 6750 3.1)
 * @param scope the scope that would be enough
 */
export function bearerChallenge({ error, scope }: { error?: string; scope?: string } = {}): {
  'WWW-Authenticate': string
} {
  const parameters = Object.entries({ realm: 'api', error, scope }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  )
  return { 'WWW-Authenticate': `Bearer ${parameters.join(', ')}` }
}
