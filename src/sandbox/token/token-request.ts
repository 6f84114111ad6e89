/** Reads a request to the token or revocation endpoint: in which encoding, and with what to do about parameters that stand twice. */
import { isJsonObject } from '../../contract/json.ts'
import { FORM_TYPE, isRepeated, mediaTypeOf } from '../http/form.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { HonoContext } from '../state/context.ts'

const JSON_TYPE = 'application/json'

const READERS: Record<string, (text: string) => URLSearchParams> = {
  [FORM_TYPE]: (text) => new URLSearchParams(text),
  [JSON_TYPE]: (text) => new URLSearchParams(textMembers(text)),
}

/** Which encodings are read (U18), and how the other one is refused. */
const ENCODINGS: Record<
  Choices['enc'],
  { types: readonly string[]; else: 'unsupported_media_type' | 'invalid_request' }
> = {
  // RFC 6749 4.1.3, 6
  form_only: { types: [FORM_TYPE], else: 'unsupported_media_type' },
  json_only: { types: [JSON_TYPE], else: 'invalid_request' },
  both: { types: [FORM_TYPE, JSON_TYPE], else: 'unsupported_media_type' },
}

/** What is left of parameters that stand twice (U32). */
const REPETITIONS: Record<
  Choices['dupparam'],
  (sent: URLSearchParams, names: readonly string[]) => URLSearchParams
> = {
  // RFC 6749 3.2
  repeated_refused: (sent, names) => {
    const twice = names.find((name) => isRepeated(sent, name))
    if (twice) throw new Refusal('invalid_request', { description: `${twice} stands twice.` })
    return sent
  },
  first_wins: (sent) => sent,
  last_wins: (sent) => new URLSearchParams(Object.fromEntries(sent)),
}

/**
 * The parameters of a request.
 * @param names those that the endpoint knows; others may stand as often as they like
 * @throws Refusal `invalid_request`, `unsupported_media_type`
 */
export async function readTokenRequest(c: HonoContext, names: readonly string[]): Promise<URLSearchParams> {
  const { choices } = c.get('context')
  const query = new URL(c.req.url).searchParams
  // RFC 6749 2.3.1: credentials are not in the address, where logs keep it.
  if (names.some((name) => query.has(name)))
    throw new Refusal('invalid_request', {
      description: 'The parameters belong in the body, not in the address.',
    })
  const { types, else: otherwise } = ENCODINGS[choices.enc]
  const read = types.includes(mediaTypeOf(c)) ? READERS[mediaTypeOf(c)] : undefined
  if (read === undefined)
    throw new Refusal(otherwise, { description: `The body has to be ${types.join(' or ')}.` })
  const form = read(await c.req.text())
  c.set('form', form)
  return REPETITIONS[choices.dupparam](form, names)
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
