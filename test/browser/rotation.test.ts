// `--rotate-secret` while two processes over one SQLite file serve people: nobody is signed out.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { IS_WHOLE } from '../_extent.ts'
import { openApp } from '../kit/cleanup.ts'
import { callerWith, openTokenService, PAGE, TOKENS } from '../kit/service.ts'
import { file } from '../kit/temp-folder.ts'

const PEOPLE = IS_WHOLE ? 50 : 3
const ROTATIONS = IS_WHOLE ? 2 : 1

let issued = 0
const openService = () =>
  openTokenService((path) => ({
    body: JSON.stringify(
      path.endsWith('/token')
        ? { ...TOKENS, access_token: `at-${(issued += 1)}`, refresh_token: `rt-${issued}` }
        : { id: Number(path.split('/').at(-1)) },
    ),
  }))

const run = promisify(execFile)
/** @returns what the command prints */
const rotate = async (env: Record<string, string>) =>
  (await run(process.execPath, ['dist/server/serve.js', '--rotate-secret'], { env })).stdout

const post = (url: string, address: string, body: unknown, cookie = '') =>
  fetch(url, {
    method: 'POST',
    headers: { ...PAGE, 'Content-Type': 'application/json', Cookie: cookie, 'X-Forwarded-For': address },
    body: JSON.stringify(body),
  })

test('a rotation while people press and sign in signs nobody out (ASVS 13.3.4, attack 34)', async () => {
  const settings = {
    ...(await openService()),
    PLIMSOLL_STORE: `sqlite:${file}`,
    PLIMSOLL_PUBLIC_URL: 'http://localhost:3000',
    PLIMSOLL_TRUST_PROXY: '1',
  }
  const first = await openApp(settings)
  const second = await openApp(settings)
  let states = 0
  /** Begins through one process and ends through the other. */
  const signIn = async (address: string, organization: string) => {
    const [begins, ends] = states % 2 === 0 ? [first, second] : [second, first]
    const state = `a-state-of-this-test-${(states += 1)}`.padEnd(40, '-')
    const login = await post(`${begins.url}/bff/login`, address, { state, organization_id: organization })
    const [pending = ''] = (login.headers.get('Set-Cookie') ?? '').split(';')
    return post(`${ends.url}/bff/session`, address, { state, code: 'a-code' }, pending)
  }
  const outcomes = { presses: 0, signIns: 0, lost: [] as unknown[] }
  const over = new AbortController()
  const person = async (address: string, organization: string) => {
    const opened = await signIn(address, organization)
    const calls = [first, second].map(({ url }) => callerWith(url, opened))
    while (!over.signal.aborted) {
      for (const call of calls) {
        const { status } = await call(`/api/organizations/${organization}`, '1')
        if (status === 200) outcomes.presses += 1
        const session = await (await call('/bff/session')).json()
        if (status === 401 || session.signed_in !== true) outcomes.lost.push(session)
      }
      // In an organization of its own, whose month is not used up.
      const again = await signIn(address, String(1000 + states))
      if (again.status === 201) outcomes.signIns += 1
      else outcomes.lost.push(await again.json())
    }
  }
  const people = Array.from({ length: PEOPLE }, (_, nth) => person(`192.0.2.${nth}`, String(nth + 1)))
  const afterMore = async () => {
    const { presses, signIns } = outcomes
    await expect.poll(() => outcomes.presses).toBeGreaterThan(presses + PEOPLE)
    await expect.poll(() => outcomes.signIns).toBeGreaterThan(signIns + PEOPLE)
  }
  for (let rotations = 1; rotations <= ROTATIONS; rotations += 1) {
    await afterMore()
    expect(await rotate(settings)).toBe('The new secret is in use.\n')
  }
  await afterMore()
  over.abort()
  await Promise.all(people)
  expect(outcomes.lost).toEqual([])
  expect(first.output() + second.output()).not.toMatch(/state_mismatch|store_failed/)
})

test('a store that no sign-in has used is not rotated, and the command says why', async () => {
  const refused = rotate({ PLIMSOLL_STORE: `sqlite:${file}` })
  await expect(refused).rejects.toThrow('This store has no secret yet: nobody has signed in.')
})
