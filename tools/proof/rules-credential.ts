/** Rules on who may see which secret, and which address a request may go to. */
import { atCall, type Call, type Found, isToken, type Recording } from './recording.ts'

export function noSecretLeaves({ replies, log, secrets }: Recording): Found[] {
  const seen = [...new Set(replies.flatMap(({ text, headers }) => [text, headers]))].join('\n')
  const logged = JSON.stringify(log)
  return [...secrets].flatMap((secret) => [
    ...(seen.includes(secret) ? [{ what: 'a secret is in an answer to the browser' }] : []),
    ...(logged.includes(secret) ? [{ what: 'a secret is in the log' }] : []),
  ])
}

export function oneCredential({ calls, secrets }: Recording): Found[] {
  const holdsSecret = (text: string) => [...secrets].some((secret) => text.includes(secret))
  const isWrong = (call: Call) =>
    (call.authorization !== null && call.apiKey !== null) ||
    (isToken(call) && call.authorization !== null && call.parameters.has('client_secret')) ||
    holdsSecret([call.path + call.query, ...call.otherHeaders].join('\n'))
  return calls.filter(isWrong).map(atCall)
}

const SPECIFIED = /^(POST \/oauth2\/token|GET \/organizations(\/[1-9]\d*)?|GET \/rate_limit)$/

export function onlySpecified({ calls }: Recording): Found[] {
  return calls
    .filter(({ method, path, query }) => !SPECIFIED.test(`${method} ${path}`) || query !== '')
    .map(atCall)
}
