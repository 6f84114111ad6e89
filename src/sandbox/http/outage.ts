/** The answers of a service that has an outage (7, U44). The document shows none. */
import type { Choices } from '../choices/choices.ts'
import { type Body, htmlBody, refusalBody } from './refusal-body.ts'

interface OutageAnswer {
  status: number
  headers?: Record<string, string>
  body: (choices: Pick<Choices, 'errbody' | 'body429'>) => Body
}

const description = 'The service has an outage. Try again later.'
const errorBody =
  (status: number): OutageAnswer['body'] =>
  (choices) =>
    refusalBody(choices, { status, word: 'server_error', description })
const page =
  (status: number, text: string): OutageAnswer['body'] =>
  () =>
    htmlBody({ status, description: text })

const OUTAGES: Record<Choices['fivexx'], OutageAnswer> = {
  // RFC 9110 15.6.4 and 10.2.3 describe the status and the header.
  retry_503: { status: 503, headers: { 'Retry-After': '30' }, body: errorBody(503) },
  json_500: { status: 500, body: errorBody(500) },
  proxy_502: { status: 502, body: page(502, 'Bad gateway') },
  maintenance_200: { status: 200, body: page(200, 'The service is down for maintenance.') },
}

/** For the injected fault `server_error`. */
export function outageAnswer(choices: Pick<Choices, 'fivexx' | 'errbody' | 'body429'>): Response {
  const { status, headers = {}, body } = OUTAGES[choices.fivexx]
  const { type, text } = body(choices)
  return new Response(text, {
    status,
    headers: { ...headers, 'Content-Type': type, 'Cache-Control': 'no-store' },
  })
}
