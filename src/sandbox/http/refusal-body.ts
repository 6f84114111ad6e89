/** The shapes that the body of an API error can have (7). The document shows none. */
import type { Choices } from '../choices/choices.ts'

export interface ErrorContent {
  status: number
  /** `undefined` if the answer has none (RFC 6750 3). */
  word: string | undefined
  description: string
}

export interface Body {
  type: string
  text: string
}

const json = (value: unknown, type = 'application/json'): Body => ({ type, text: JSON.stringify(value) })

export const htmlBody = ({ status, description }: Pick<ErrorContent, 'status' | 'description'>): Body => ({
  type: 'text/html; charset=utf-8',
  text: `<!doctype html><html lang="en"><title>${status}</title><h1>${status}</h1><p>${description}</p></html>`,
})

/** The status selects one, so one refusal always has the same body. */
const NOT_JSON: readonly [...((content: ErrorContent) => Body)[]] = [
  htmlBody,
  ({ description }) => ({ type: 'text/plain; charset=utf-8', text: description }),
  () => ({ type: 'application/json', text: '' }),
  ({ word }) => ({ type: 'application/json', text: `{"error":"${word}","error_descr` }),
]

/** The error code for the shapes that always have one. */
const codeOf = ({ word = 'unauthorized' }: ErrorContent): string => word

const BODIES: Record<Choices['errbody'], (content: ErrorContent) => Body> = {
  // RFC 6749 5.2 and 7.2.
  error_description: ({ word, description }) =>
    json({ ...(word && { error: word }), error_description: description }),
  message: ({ description }) => json({ message: description }),
  code_message: (content) => json({ code: codeOf(content), message: content.description }),
  errors_list: (content) => json({ errors: [{ code: codeOf(content), message: content.description }] }),
  // RFC 9457 3.
  problem_json: ({ status, description, word = 'unauthorized' }) =>
    json({ type: 'about:blank', title: word, status, detail: description }, 'application/problem+json'),
  not_json: (content) => (NOT_JSON[content.status % NOT_JSON.length] ?? htmlBody)(content),
}

/** U65; `undefined`: the usual body. */
const BODY_OF_429: Record<Choices['body429'], ((content: ErrorContent) => Body) | undefined> = {
  as_errbody: undefined,
  empty: () => ({ type: '', text: '' }),
  html: htmlBody,
}

/** U42, U65. */
export function refusalBody(
  { errbody, body429 }: Pick<Choices, 'errbody' | 'body429'>,
  content: ErrorContent,
): Body {
  const special = content.status === 429 ? BODY_OF_429[body429] : undefined
  return (special ?? BODIES[errbody])(content)
}
