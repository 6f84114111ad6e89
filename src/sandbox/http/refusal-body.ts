/** The shapes that the body of an API error can have (7, U42). The document shows none. */
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
  text: `<!doctype html><html lang="en"><title>${status}</title><h1>${status}</h1>
<p>${description}</p></html>`,
})

/** The status selects one, so one refusal always has the same body. */
const NOT_JSON: readonly [...((content: ErrorContent) => Body)[]] = [
  htmlBody,
  ({ description }) => ({ type: 'text/plain; charset=utf-8', text: description }),
  () => ({ type: 'application/json', text: '' }),
  ({ word }) => ({ type: 'application/json', text: `{"error":"${word}","error_descr` }),
]

export const REFUSAL_BODIES: Record<Choices['errbody'], (content: ErrorContent) => Body> = {
  // RFC 6749 5.2 and 7.2.
  error_description: ({ word, description }) =>
    json({ ...(word && { error: word }), error_description: description }),
  message: ({ description }) => json({ message: description }),
  code_message: ({ word = 'unauthorized', description }) => json({ code: word, message: description }),
  errors_list: ({ word = 'unauthorized', description }) =>
    json({ errors: [{ code: word, message: description }] }),
  // RFC 9457 3.
  problem_json: ({ status, description, word = 'unauthorized' }) =>
    json({ type: 'about:blank', title: word, status, detail: description }, 'application/problem+json'),
  not_json: (content) => (NOT_JSON[content.status % NOT_JSON.length] ?? htmlBody)(content),
}
