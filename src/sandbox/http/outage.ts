/** How it looks when the service itself is in trouble, which the document does not show (7, U44). */
import type { Choices } from '../choices/choices.ts'
import { type Body, htmlBody, refusalBody } from './refusal-body.ts'

interface Look {
  status: number
  headers?: Record<string, string>
  body: (choices: Pick<Choices, 'errbody' | 'body429'>) => Body
}

const description = 'The service is in trouble. Try again later.'
const written =
  (status: number): Look['body'] =>
  (choices) =>
    refusalBody(choices, { status, word: 'server_error', description })
const page =
  (status: number, text: string): Look['body'] =>
  () =>
    htmlBody({ status, description: text })

const LOOKS: Record<Choices['fivexx'], Look> = {
  // RFC 9110 15.6.4, 10.2.3
  retry_503: { status: 503, headers: { 'Retry-After': '30' }, body: written(503) },
  json_500: { status: 500, body: written(500) },
  proxy_502: { status: 502, body: page(502, 'Bad gateway') },
  maintenance_200: { status: 200, body: page(200, 'We are at work here and will be back soon.') },
}

/** The answer in place of every other, as the fault `server_error` gives it. */
export function troubleAnswer(choices: Pick<Choices, 'fivexx' | 'errbody' | 'body429'>): Response {
  const { status, headers = {}, body } = LOOKS[choices.fivexx]
  const { type, text } = body(choices)
  return new Response(text, {
    status,
    headers: { ...headers, 'Content-Type': type, 'Cache-Control': 'no-store' },
  })
}
