import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { type Provenance, provenance, UNLABELLED } from '../../../src/sandbox/control/provenance.ts'
import { openControl } from '../_control.ts'

const list = async (choices: Partial<Choices> = {}): Promise<Provenance[]> =>
  (await openControl({ choices }).ask('/provenance')).json()

test('every address has a label: document, choice or ours (S1, 0)', async () => {
  const labels = await list()
  const unlabelled = labels.filter(({ from }) => from === UNLABELLED || !/^(spec|choice U|ours: )/.test(from))
  expect(unlabelled).toEqual([])
  for (const what of [
    '/oauth2/login',
    '/oauth2/token',
    '/rate_limit',
    '/organizations',
    '/organizations/:id',
  ])
    expect(labels.find((label) => label.what === what)?.from).toMatch(/^spec 4\.\d$/)
  expect(labels).toContainEqual({ what: '/_choice/echo', from: 'choice U52' })
})

test('an address without a label is found (S1, 0)', () => {
  expect(provenance(['/new'])).toContainEqual({ what: '/new', from: UNLABELLED })
})

/** Each changes a header or a field of an error. */
const CHOICES: Partial<Choices>[] = [
  {},
  { scope: 'read_only', version: 'response_header', cors: 'any_origin_exposed', cache: 'etag' },
  { errbody: 'problem_json', retryafter: 'seconds', missingcred: 'redirect_302' },
  { errbody: 'errors_list', resources: 'echo', scope: 'in_token_response' },
  { errbody: 'code_message' },
]

test.each(CHOICES)('every header and field of an answer has a label with %j (S1, 0)', async (choices) => {
  const labels = await list(choices)
  const isLabelled = (answer: string, name: string) =>
    [answer, 'any answer of the API'].some((one) =>
      labels.some(({ what }) =>
        [`${one}: ${name}`, `${one}: *`].includes(what.toLowerCase().replace(one.toLowerCase(), one)),
      ),
    )
  const { send, key, exchange, authorize, post } = openControl({ choices })
  const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } }
  const echo = { method: 'POST', headers: key(2002), body: 'x' }
  const answers: [string, Response][] = [
    ['GET /organizations', await send('/organizations', { headers: key() })],
    ['GET /organizations/:id', await send('/organizations/1001', { headers: key() })],
    ['GET /organizations', await send('/organizations')],
    ['GET /organizations', await send('/organizations', { method: 'PUT' })],
    ['GET /organizations', await send('/organizations', preflight)],
    ['GET /nothing', await send('/nothing', { headers: key() })],
    ['/_choice/echo', await send('/_choice/echo', echo)],
    ['POST /oauth2/token', await post('/oauth2/token', {})],
  ]
  for (let nth = 0; nth < 61; nth += 1)
    answers[8] = ['GET /rate_limit', await send('/rate_limit', { headers: key() })]
  const found = answers.flatMap(([answer, { headers }]) =>
    [...headers.keys()].map((name) => [answer, name] as const),
  )
  for (const [answer, response] of answers)
    if (/json/.test(response.headers.get('Content-Type') ?? ''))
      for (const name of Object.keys(await response.json())) found.push([answer, name])
  for (const name of Object.keys((await exchange(await authorize())).body))
    found.push(['POST /oauth2/token', name])
  const record = await (await send('/rate_limit', { headers: key(2002) })).json()
  for (const name of Object.keys({ ...record, ...record.get })) found.push(['GET /rate_limit', name])
  expect(found.filter(([answer, name]) => !isLabelled(answer, name))).toEqual([])
})
