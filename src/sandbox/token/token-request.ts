/** Reads the parameters of a request to the token or revocation endpoint. */
import { isJsonObject } from '../../contract/json.ts'
import { FORM_TYPE, isRepeated, mediaTypeOf, readText } from '../http/form.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { type HandlerContext, queryOf } from '../http/handler.ts'

const JSON_TYPE = 'application/json'

const READERS: Record<string, (text: string) => URLSearchParams> = {
  [FORM_TYPE]: (text) => new URLSearchParams(text),
  [JSON_TYPE]: (text) => new URLSearchParams(textMembers(text)),
}

/** U18. */
const ENCODINGS: Record<
  Choices['enc'],
  { types: readonly string[]; else: 'unsupported_media_type' | 'invalid_request' }
> = {
  // RFC 6749 4.1.3 and 6 ask for a form.
  form_only: { types: [FORM_TYPE], else: 'unsupported_media_type' },
  json_only: { types: [JSON_TYPE], else: 'invalid_request' },
  both: { types: [FORM_TYPE, JSON_TYPE], else: 'unsupported_media_type' },
}

/**
 * @param names the parameters of the endpoint; others may be repeated
 * @throws Refusal `invalid_request`, `unsupported_media_type`
 */
export async function readTokenRequest(
  c: HandlerContext,
  names: readonly string[],
): Promise<URLSearchParams> {
  const { choices } = c.get('context')
  const query = queryOf(c)
  // RFC 6749 2.3.1: a URI has no credentials, as it may be logged.
  if (names.some((name) => query.has(name)))
    throw new Refusal('invalid_request', {
      description: 'Send the parameters in the body, not in the URI.',
    })
  const { types, else: otherwise } = ENCODINGS[choices.enc]
  const read = types.includes(mediaTypeOf(c)) ? READERS[mediaTypeOf(c)] : undefined
  if (read === undefined)
    throw new Refusal(otherwise, { description: `The body has to be ${types.join(' or ')}.` })
  const form = read(await readText(c))
  c.set('form', form)
  // RFC 6749 3.2.
  const twice = names.find((name) => isRepeated(form, name))
  if (twice) throw new Refusal('invalid_request', { description: `${twice} is repeated.` })
  return form
}

function textMembers(text: string): [string, string][] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  if (!isJsonObject(body))
    throw new Refusal('invalid_request', { description: 'The body has to be a JSON object.' })
  return Object.entries(body).filter((member): member is [string, string] => typeof member[1] === 'string')
}
