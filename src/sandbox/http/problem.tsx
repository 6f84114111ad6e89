/** @jsxImportSource hono/jsx */
/** Answers a refusal, or an internal error, as JSON or as a page. */
import { writeMessage } from './page.tsx'
import { type Choices, DEFAULT_CHOICES } from '../choices/choices.ts'
import { type Answered, type HandlerContext, Refusal, write } from './handler.ts'

export interface SandboxLogEntry {
  event: 'sandbox_error'
  method: string
  path: string
  cause: string
}

/** The cause of an internal error is only in the log. */
export function answerRefusal(
  error: Error,
  c: HandlerContext,
  log: ((entry: SandboxLogEntry) => void) | undefined,
): Answered {
  const refusal = error instanceof Refusal ? error : new Refusal('server_error')
  if (refusal !== error) {
    const cause = error.stack ?? error.message
    log?.({ event: 'sandbox_error', method: c.req.method, path: c.req.path.slice(0, 200), cause })
  }
  for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value)
  if (c.get('page')) return writeRefusal(c, refusal)
  // Outside the API it is that of RFC 6749 5.2.
  const { errbody } = c.get('api') ? c.get('context').choices : DEFAULT_CHOICES
  const { type, text } = REFUSAL_BODIES[errbody](refusal)
  return write(c, refusal.status, text === '' ? null : text, { 'Content-Type': type })
}

const writeRefusal = (c: HandlerContext, { status, description, code }: Refusal): Answered =>
  writeMessage(
    c,
    { title: 'The request was refused', status },
    <>
      {description} <code>{code}</code>
    </>,
    'To the start page',
  )

type ErrorContent = Pick<Refusal, 'status' | 'word' | 'description'>
interface Body {
  type: string
  text: string
}

const json = (value: unknown, type = 'application/json'): Body => ({ type, text: JSON.stringify(value) })

const htmlBody = ({ status, description }: ErrorContent): Body => ({
  type: 'text/html; charset=utf-8',
  text: `<!doctype html><title>${status}</title><h1>${status}</h1><p>${description}</p>`,
})

/** The status selects one, so one refusal always has the same body. */
const NOT_JSON: readonly [...((content: ErrorContent) => Body)[]] = [
  htmlBody,
  ({ description }) => ({ type: 'text/plain; charset=utf-8', text: description }),
  () => ({ type: 'application/json', text: '' }),
  ({ word }) => ({ type: 'application/json', text: `{"error":"${word}","error_descr` }),
]

/** The shapes that the body of an API error can have (7, U42). The document shows none. */
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
