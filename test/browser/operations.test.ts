// The operations port of the built app, as a process.
import { expect, test } from 'vitest'
import { openApp } from '../kit/cleanup.ts'
import { openTokenService, signIn, TOKENS } from '../kit/service.ts'

const GIVEN = JSON.stringify({ ...TOKENS, access_token: 'at-of-a-test', refresh_token: 'rt-of-a-test' })

async function answerOf(url: string) {
  const answer = await fetch(url)
  return { status: answer.status, body: await answer.text() }
}

function gate() {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => void (open = resolve))
  return { isOpen, open: () => open() }
}

/** The sum of the samples with this prefix. */
const valueOf = (metrics: string, name: string): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)

test('one process has metrics and a log without the organization, and is ready until the stop', async () => {
  let answers = Promise.resolve()
  const { service, settings } = await openTokenService(async (path) => {
    if (!path.endsWith('/token')) await answers
    return { body: path.endsWith('/token') ? GIVEN : '{"id": 708090}' }
  })
  const running = await openApp(settings)
  const ask = (path: string) => answerOf(running.operationsUrl + path)
  const { call } = await signIn(running, '708090')
  expect(await ask('/readyz')).toEqual({ status: 200, body: 'ok\n' })
  expect(service.asked).toHaveLength(2)
  const { body } = await ask('/metrics')
  expect(valueOf(body, 'plimsoll_sessions_opened_total')).toBe(1)
  expect(valueOf(body, 'plimsoll_upstream_requests_total{kind="api.read",result="200"}')).toBe(1)
  const lines = running.output().match(/^.*"event":"request".*$/gm) ?? []
  const routes = lines
    .map((line) => JSON.parse(line))
    .map(({ method, route, status }) => [method, route, status])
  expect(routes).toEqual([
    ['POST', '/bff/login', 204],
    ['POST', '/bff/session', 201],
  ])
  expect(body.replaceAll(/^([^#].*) \S+$/gm, '$1')).not.toMatch(/708090|of-a-test|127\.0\.0\.1/)
  const answer = gate()
  answers = answer.isOpen
  const reading = call('/api/organizations/708090', '1')
  await expect.poll(() => service.asked.length).toBe(3)
  running.child().kill('SIGTERM')
  await expect.poll(() => ask('/readyz')).toEqual({ status: 503, body: 'draining\n' })
  expect((await ask('/healthz')).status).toBe(200)
  const refusal = () => fetch(running.url).then(String, ({ cause }) => cause.code)
  await expect.poll(refusal).toBe('ECONNREFUSED')
  answer.open()
  expect((await reading).status).toBe(200)
  expect(await running.ended()).toBe(0)
})
