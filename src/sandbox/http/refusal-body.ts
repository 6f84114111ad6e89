/** The shapes that the body of an API error can have; the document shows none (7). */
import type { Choices } from '../choices/choices.ts'

/** What there is to say. */
export interface Words {
  status: number
  /** Absent where a client is told none (RFC 6750 3). */
  word: string | undefined
  description: string
}

export interface Body {
  type: string
  text: string
}

const json = (value: unknown, type = 'application/json'): Body => ({ type, text: JSON.stringify(value) })

export const htmlBody = ({ status, description }: Pick<Words, 'status' | 'description'>): Body => ({
  type: 'text/html; charset=utf-8',
  text: `<!doctype html><html lang="en"><title>${status}</title><h1>${status}</h1><p>${description}</p></html>`,
})

/** All that is no JSON, one for each remainder of the status, so that the same refusal always has the same. */
const NOT_JSON: readonly [...((words: Words) => Body)[]] = [
  htmlBody,
  ({ description }) => ({ type: 'text/plain; charset=utf-8', text: description }),
  () => ({ type: 'application/json', text: '' }),
  ({ word }) => ({ type: 'application/json', text: `{"error":"${word}","error_descr` }),
]

/** The code of those shapes that always have one. */
const codeOf = ({ word = 'unauthorized' }: Words): string => word

const BODIES: Record<Choices['errbody'], (words: Words) => Body> = {
  // RFC 6749 5.2, 7.2
  error_description: ({ word, description }) =>
    json({ ...(word && { error: word }), error_description: description }),
  message: ({ description }) => json({ message: description }),
  code_message: (words) => json({ code: codeOf(words), message: words.description }),
  errors_list: (words) => json({ errors: [{ code: codeOf(words), message: words.description }] }),
  // RFC 9457 3
  problem_json: ({ status, description, word = 'unauthorized' }) =>
    json({ type: 'about:blank', title: word, status, detail: description }, 'application/problem+json'),
  not_json: (words) => (NOT_JSON[words.status % NOT_JSON.length] ?? htmlBody)(words),
}

/** What a 429 has in the place of the usual body (U65). */
const BODY_OF_429: Record<Choices['body429'], ((words: Words) => Body) | undefined> = {
  as_errbody: undefined,
  empty: () => ({ type: '', text: '' }),
  html: htmlBody,
}

/** The body of a refusal by the API (U42, U65). */
export function refusalBody({ errbody, body429 }: Pick<Choices, 'errbody' | 'body429'>, words: Words): Body {
  const special = words.status === 429 ? BODY_OF_429[body429] : undefined
  return (special ?? BODIES[errbody])(words)
}
