/** Collects the secrets of a fixture, and searches log lines, addresses, headers and answers for them. */

/** The newest ones only: a test with thousands of keys stays fast. */
const MOST_SECRETS = 200
/** A shorter text is an ordinary word of a test. The code of a pairing has eight letters. */
const LEAST_LENGTH = 8
const MEMBERS = [
  'code',
  'state',
  'client_secret',
  'access_token',
  'refresh_token',
  'code_verifier',
  'api_key',
]

const secrets = new Set<string>()
const found: string[] = []

/** Takes the findings since the last call: the place, the secret, and the text. */
export const takeFound = (): string[] => found.splice(0)

export function addSecrets(...values: unknown[]): void {
  for (const value of values)
    if (typeof value === 'string' && value.length >= LEAST_LENGTH) secrets.add(value)
  for (const oldest of [...secrets].slice(0, Math.max(0, secrets.size - MOST_SECRETS))) secrets.delete(oldest)
}

export function search(where: string, text: string): void {
  for (const secret of secrets)
    if (text.includes(secret)) found.push(`${where}: ${secret} in ${text.slice(0, 400)}`)
}

/** Adds the secrets in a body, JSON or a form. */
export function addSecretsOf(body: string): void {
  let members: Record<string, unknown> = {}
  try {
    members = { ...(JSON.parse(body) as object) }
  } catch {
    members = Object.fromEntries(new URLSearchParams(body))
  }
  addSecrets(...MEMBERS.map((member) => members[member]))
}

/** Adds the values of the cookies that an answer sets, and the two halves of each. */
export const addCookiesOf = (answer: Response): void =>
  addSecrets(
    ...answer.headers
      .getSetCookie()
      .map((line) => line.slice(line.indexOf('=') + 1).split(';')[0] ?? '')
      .flatMap((value) => [value, ...value.split('.')]),
  )

/** Searches an answer to the browser. The body of a read is the service's own. */
export async function searchAnswer(path: string, answer: Response): Promise<void> {
  for (const [name, value] of answer.headers)
    if (name !== 'set-cookie') search(`header of ${path}`, `${name}: ${value}`)
  const isOurs = !path.startsWith('/api') || answer.status >= 400
  if (isOurs && /json|html/.test(answer.headers.get('Content-Type') ?? ''))
    search(`answer of ${path}`, await answer.clone().text())
}
