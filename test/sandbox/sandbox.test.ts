import { describe, expect, test } from 'vitest'
import { BASE, open, rate, seed } from '../kit/sandbox.ts'

type Opened = ReturnType<typeof open>

test.each([
  ['200', '/organizations', 'GET', true, 200],
  ['401', '/organizations', 'GET', false, 401],
  ['404 without a credential', '/tasks', 'GET', false, 404],
  ['405', '/organizations', 'PUT', true, 405],
  ['405 without a credential', '/rate_limit', 'POST', false, 405],
  ['401 by HEAD', '/organizations', 'HEAD', false, 401],
])(
  'the API answer %s has the three headers, is not cached, and allows no other origin (8.4.2)',
  async (_, path, method, known, status) => {
    const { send, key } = open()
    const answer = await send(path, {
      method,
      headers: { ...(known ? key() : {}), Origin: 'https://other.example' },
    })
    expect(answer.status).toBe(status)
    for (const value of Object.values(rate(answer))) expect(Number.isInteger(value) && value > 0).toBe(true)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(answer.headers.has('Allow')).toBe(status === 405)
    expect(answer.headers.has('WWW-Authenticate')).toBe(status === 401)
  },
)

test('a 429 has the three headers (8.4.2)', async () => {
  const { api, key } = open()
  const answer = await api(61, '/organizations', key())
  expect([answer.status, rate(answer).remaining, rate(answer).limit]).toEqual([429, 0, 60])
})

test('Date is the time that is passed in (RFC 9110 6.6.1)', async () => {
  const { send, clock } = open()
  for (const path of ['/', '/organizations', '/oauth2/token', '/style.css'])
    expect((await send(path)).headers.get('Date')).toBe('Sat, 21 Nov 2026 06:00:00 GMT')
  clock.ms += 750
  expect((await send('/')).headers.get('Date')).toBe('Sat, 21 Nov 2026 06:00:01 GMT')
})

test.each(['/', '/style.css', '/mark.svg'])('%s takes GET and HEAD only (RFC 9110 15.5.6)', async (path) => {
  const { send } = open()
  expect((await send(path, { method: 'HEAD' })).status).toBe(200)
  const answer = await send(path, { method: 'POST' })
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
})

describe('a long script of calls', () => {
  const bytes = async (answer: Response) => [answer.status, [...answer.headers], await answer.text()]

  /** Plays three months: sign-ins, tokens, refusals, faults, choices, ends of minutes and months. */
  async function script({ sandbox, signIn, ask, authorize, exchange, refresh, send, key }: Opened) {
    const { control } = sandbox
    const answers: unknown[] = []
    const note = async (answer: Response | Promise<Response>) => void answers.push(await bytes(await answer))
    for (const round of [1, 2, 3]) {
      control.moveClock({ do: 'advance', ms: round * 7_777_777 })
      const cookie = await signIn()
      await note(send('/projects?organization_id=1001', { headers: cookie }))
      answers.push((await ask()).page)
      const code = await authorize()
      const first = await exchange(code)
      control.addFault({ operation: 'token', kind: 'truncate' })
      await refresh(first.body.refresh_token).catch((error: Error) => answers.push(error.name))
      answers.push(await refresh(first.body.refresh_token), await exchange(code))
      const { body } = await exchange(await authorize())
      const headers = { Authorization: `Bearer ${body.access_token}` }
      for (let nth = 0; nth < 62; nth += 1) await note(send('/organizations/1001', { headers }))
      control.moveClock({ do: 'to_next_minute' })
      for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS'])
        for (const path of ['/rate_limit', '/organizations', '/nothing', '/oauth2/token'])
          await note(send(path, { method, headers: key(2002) }))
      control.changeChoices({ tz: round === 1 ? 'asia_tokyo' : 'utc', errbody: 'problem_json' })
      control.moveClock({ do: 'to_token_end' })
      await note(send('/organizations/1001', { headers }))
      control.moveClock({ do: 'to_month_end' })
      await note(send('/plan?organization_id=1001', { headers: cookie }))
    }
    answers.push(control.requestLog(), sandbox.snapshot())
    return JSON.stringify(answers)
  }

  test('is answered with the same bytes by the same seed (check 70)', async () => {
    const once = await script(open())
    expect(await script(open())).toBe(once)
    expect(once.length).toBeGreaterThan(100_000)
    expect(await script(open({ seed: { ...seed(), random: 'another' } }))).not.toBe(once)
  })

  test('is answered with the same bytes after a reset, and from a snapshot (check 70)', async () => {
    const opened = open()
    const once = await script(opened)
    const after = opened.sandbox.snapshot()
    opened.sandbox.control.reset()
    expect(await script(opened)).toBe(once)
    const further = await script(opened)
    opened.sandbox.control.restore(JSON.parse(JSON.stringify(after)))
    expect(await script(opened)).toBe(further)
    expect(await script(open({ state: after }))).toBe(further)
  })

  test.each([
    0,
    Date.UTC(2024, 1, 29, 23, 59, 59, 999),
    Date.UTC(2031, 11, 31, 23, 59, 30),
    Date.UTC(9000, 0),
  ])('works at %i as at any time, also after a reset and a restore (check 70)', async (ms) => {
    const opened = open()
    const { control } = opened.sandbox
    const signInAndRead = async () => {
      control.moveClock({ do: 'set', ms: ms })
      control.moveClock({ do: 'freeze' })
      const code = await opened.authorize()
      const { body } = await opened.exchange(code)
      const headers = { Authorization: `Bearer ${body.access_token}` }
      const statuses = [(await opened.api(60, '/organizations/1001', headers)).status]
      statuses.push((await opened.send('/organizations/1001', { headers })).status)
      control.moveClock({ do: 'to_next_minute' })
      statuses.push((await opened.send('/organizations/1001', { headers })).status)
      control.moveClock({ do: 'to_token_end' })
      statuses.push((await opened.send('/organizations/1001', { headers })).status)
      const second = await opened.refresh(body.refresh_token)
      statuses.push(second.status, (await opened.exchange(code)).status)
      statuses.push((await opened.refresh(second.body.refresh_token)).status)
      return statuses
    }
    const expected = [200, 429, 200, 401, 200, 400, 400]
    const before = control.snapshot()
    expect(await signInAndRead()).toEqual(expected)
    control.reset()
    expect(await signInAndRead()).toEqual(expected)
    control.restore(before)
    expect(await signInAndRead()).toEqual(expected)
  })
})

describe('snapshot', () => {
  test('is a copy; so are the seed and the state that are passed in', async () => {
    const [state, passedIn] = [open().sandbox.snapshot(), seed()]
    const { sandbox, send, key } = open({ state, seed: passedIn })
    for (const one of [sandbox.snapshot(), state]) one.organizations.length = 0
    passedIn.organizations.length = 0
    expect((await send('/organizations', { headers: key() })).status).toBe(200)
    expect(state.months).toEqual({})
  })
})

describe('onChange', () => {
  test('is called once for each request, before its answer, and not for stylesheet and icon', async () => {
    const saved: number[] = []
    const opened = open({ onChange: () => saved.push(opened.sandbox.snapshot().months['1001']?.count ?? 0) })
    for (const path of ['/style.css', '/mark.svg']) await opened.send(path)
    expect(saved).toEqual([])
    await opened.send('/organizations', { headers: opened.key() })
    await opened.send('/organizations', { headers: opened.key(), method: 'POST' })
    await opened.send('/plan?organization_id=1001')
    expect(saved).toEqual([1, 2, 2])
  })

  test('is called after a change by the control plane', () => {
    let changes = 0
    const { control } = open({ onChange: () => (changes += 1) }).sandbox
    control.choices()
    control.nowMs()
    expect(changes).toBe(0)
    control.changeChoices({ deny: 'page' })
    control.moveClock({ do: 'to_month_end' })
    control.reset()
    expect(changes).toBe(3)
  })
})

describe('under a path', () => {
  test('all addresses work, and all others are unknown (0)', async () => {
    const opened = open({ basePath: '/a/b' })
    const { body } = await opened.exchange(await opened.authorize())
    const headers = { Authorization: `Bearer ${body.access_token}` }
    expect((await opened.send('/organizations/1001', { headers })).status).toBe(200)
    for (const path of ['/organizations', '/a/organizations', '/a/bc/organizations'])
      expect((await opened.sandbox.fetch(new Request(BASE + path, { headers }))).status).toBe(404)
  })

  test('the cookie of a sign-in is limited to the path (RFC 6265 5.1.4)', async () => {
    const answer = await open({ basePath: '/a/b' }).post('/projects', { person_id: 'ada' })
    expect(answer.headers.get('Set-Cookie')).toContain('Path=/a/b;')
  })

  test('that a proxy strips, forms and redirects have the right address (0)', async () => {
    const { post, ask } = open()
    const signedIn = await post('/oauth2/login?client_id=plimsoll', { person_id: 'ada' })
    const address = new URL(
      signedIn.headers.get('Location') ?? '',
      `${BASE}/a/b/oauth2/login?client_id=plimsoll`,
    )
    expect(address.pathname + address.search).toBe('/a/b/oauth2/login?client_id=plimsoll')
    expect((await ask()).page).toContain('action="../oauth2/permission"')
  })
})
