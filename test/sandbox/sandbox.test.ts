import { expect, test } from 'vitest'
import { BASE, open, seed } from '../kit/sandbox.ts'
import { bearerOf, start } from './_start.ts'

type Opened = ReturnType<typeof open>

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

test('a long script of calls is answered with the same bytes by the same seed (check 70)', async () => {
  const opened = open()
  const once = await script(opened)
  expect(once.length).toBeGreaterThan(100_000)
  expect(await script(open())).toBe(once)
  expect(await script(open({ seed: { ...seed(), random: 'another' } }))).not.toBe(once)
  // Also from a snapshot.
  const after = opened.sandbox.snapshot()
  const further = await script(opened)
  opened.sandbox.control.restore(JSON.parse(JSON.stringify(after)))
  expect(await script(opened)).toBe(further)
  expect(await script(open({ state: after }))).toBe(further)
})

test.each([0, Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(2031, 11, 31, 23, 59, 30), Date.UTC(9000, 0)])(
  'at %i it works as at any time, also after a reset and a restore (check 70)',
  async (ms) => {
    const { sandbox, authorize, exchange, refresh, exchangeOf, refreshOf, api, status } = start()
    const { control } = sandbox
    const signInAndRead = async () => {
      control.moveClock({ do: 'set', ms })
      control.moveClock({ do: 'freeze' })
      const code = await authorize()
      const { body } = await exchange(code)
      const headers = bearerOf(body.access_token)
      const read = () => status('/organizations/1001', headers)
      const seen: unknown[] = [(await api(60, '/organizations/1001', headers)).status, await read()]
      control.moveClock({ do: 'to_next_minute' })
      seen.push(await read())
      control.moveClock({ do: 'to_token_end' })
      seen.push(await read())
      const second = await refresh(body.refresh_token)
      return [...seen, second.status, await exchangeOf(code), await refreshOf(second.body.refresh_token)]
    }
    const expected = [200, 429, 200, 401, 200, '400 invalid_grant', '400 invalid_grant']
    const before = control.snapshot()
    expect(await signInAndRead()).toEqual(expected)
    control.reset()
    expect(await signInAndRead()).toEqual(expected)
    control.restore(before)
    expect(await signInAndRead()).toEqual(expected)
  },
)

test('after a reset no cookie, code, token or key is issued a second time (check 70, RFC 6749 10.10)', async () => {
  const { sandbox, signIn, authorize, tokens } = start()
  const issue = async () => {
    const { value } = sandbox.control.issueKey({ organization_id: 1001 })
    return [(await signIn()).Cookie, await authorize(), ...Object.values(await tokens()), value]
  }
  const first = await issue()
  for (const reset of [sandbox.control.reset, () => sandbox.control.seed({ api_keys: [] })]) {
    reset()
    expect((await issue()).filter((secret) => first.includes(secret))).toEqual(['Bearer', 3600])
  }
})

test('a snapshot is a copy; so are the seed and the state that are passed in', async () => {
  const [state, passedIn] = [open().sandbox.snapshot(), seed()]
  const { sandbox, send, key } = open({ state, seed: passedIn })
  for (const one of [sandbox.snapshot(), state]) one.organizations.length = 0
  passedIn.organizations.length = 0
  expect((await send('/organizations', { headers: key() })).status).toBe(200)
  expect(state.months).toEqual({})
})

test('a change is told once for each request, before its answer, and after one by the control plane', async () => {
  const saved: number[] = []
  const opened = start({ onChange: () => saved.push(opened.month()) })
  const { control } = opened.sandbox
  for (const path of ['/style.css', '/mark.svg']) await opened.send(path)
  control.choices()
  control.nowMs()
  expect(saved).toEqual([])
  await opened.left()
  await opened.left(opened.key(), 'POST')
  await opened.send('/plan?organization_id=1001')
  expect(saved).toEqual([1, 2, 2])
  control.changeChoices({ deny: 'page' })
  control.moveClock({ do: 'to_month_end' })
  control.reset()
  expect(saved).toEqual([1, 2, 2, 2, 2, 0])
})

test('under a path all addresses work, no others, and it limits the cookie (0, RFC 6265 5.1.4)', async () => {
  const { bearer, status, sandbox, post } = start({ basePath: '/a/b' })
  const headers = await bearer()
  expect(await status('/organizations/1001', headers)).toBe(200)
  for (const path of ['/organizations', '/a/organizations', '/a/bc/organizations'])
    expect((await sandbox.fetch(new Request(BASE + path, { headers }))).status).toBe(404)
  const outside = { rule: 'not_found', status: 404, cost: { month: 0 }, verdict: 'unknown_endpoint' }
  expect(sandbox.control.requestLog().slice(-3)).toMatchObject([
    { ...outside, path: '/organizations' },
    { ...outside, path: '/a/organizations' },
    { ...outside, path: '/a/bc/organizations' },
  ])
  expect(sandbox.control.usage()[1001]).toEqual({ month: 1, read: 1, update: 0 })
  const { headers: set } = await post('/projects', { person_id: 'ada' })
  expect(set.get('Set-Cookie')).toContain('Path=/a/b;')
})

test('under a path that a proxy strips, forms and redirects have the right address (0)', async () => {
  const { post, ask } = start()
  const path = '/oauth2/login?client_id=plimsoll'
  const to = (await post(path, { person_id: 'ada' })).headers.get('Location') ?? ''
  expect(new URL(to, `${BASE}/a/b${path}`).href).toBe(`${BASE}/a/b${path}`)
  expect((await ask()).page).toContain('action="../oauth2/permission"')
})
