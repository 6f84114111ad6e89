import { describe, expect, test } from 'vitest'
import { FORM, seed } from '../../kit/sandbox.ts'
import { APPLICATION, atSettings, HOSTILE, issued, KEY, records } from '../_settings.ts'

const GRANTS = { choices: { states: 'grants_withdrawable' } } as const
/** All values are valid. */
const FORMS: [path: string, fields: Record<string, string>][] = [
  ['api-keys/add', KEY],
  ['api-keys/0', { action: 'save', description: 'Other' }],
  ['api-keys/0', { action: 'delete' }],
  ['applications/add', APPLICATION],
  ['applications/0', { action: 'save', ...APPLICATION }],
  ['applications/0', { action: 'delete' }],
  ['plan', { plan: 'standard' }],
  ['permissions', { client_id: 'plimsoll' }],
]

/** Cleo has authorized an application. `0` in an address stands for the first in the list. */
async function cleo() {
  const there = await atSettings(GRANTS)
  await there.exchange(await there.authorize({ organization_id: '2002' }, 'cleo'))
  const addressOf = async (path: string) =>
    path.endsWith('/0') ? ((await there.handles(path.slice(0, -2)))[0] ?? '') : path
  return { ...there, addressOf }
}
type Cleo = Awaited<ReturnType<typeof cleo>>

const INVALID_REQUESTS: [
  what: string,
  status: number,
  send: (settings: Cleo, path: string, body: string) => Promise<Response>,
][] = [
  ['without its csrf token', 400, ({ post, at, headers }, path, body) => post(at(path), body, headers)],
  [
    'with an invented csrf token',
    400,
    ({ post, at, headers }, path, body) => post(at(path), `csrf_token=x&${body}`, headers),
  ],
  [
    'with its csrf token twice',
    400,
    async ({ post, at, headers, csrfToken }, path, body) => {
      const proof = `csrf_token=${await csrfToken(path)}`
      return post(at(path), `${proof}&${proof}&${body}`, headers)
    },
  ],
  [
    'with the csrf token of another sign-in of the same person',
    400,
    async ({ post, at, signIn, csrfToken }, path, body) =>
      post(at(path), `csrf_token=${await csrfToken(path)}&${body}`, await signIn('cleo')),
  ],
  [
    'from another site',
    403,
    async ({ post, at, headers, csrfToken }, path, body) =>
      post(at(path), `csrf_token=${await csrfToken(path)}&${body}`, {
        ...headers,
        'Sec-Fetch-Site': 'cross-site',
      }),
  ],
  [
    'from another origin of the same site',
    403,
    async ({ post, at, headers, csrfToken }, path, body) =>
      post(at(path), `csrf_token=${await csrfToken(path)}&${body}`, {
        ...headers,
        'Sec-Fetch-Site': 'same-site',
      }),
  ],
  [
    'as JSON',
    415,
    async ({ post, at, headers, csrfToken }, path, body) =>
      post(at(path), `csrf_token=${await csrfToken(path)}&${body}`, {
        ...headers,
        'Content-Type': 'application/json',
      }),
  ],
  [
    'with a body of more than 16 kB',
    413,
    async ({ post, at, headers, csrfToken }, path, body) =>
      post(at(path), `csrf_token=${await csrfToken(path)}&${body}&x=${'x'.repeat(17_000)}`, headers),
  ],
  [
    'by PUT',
    405,
    async ({ send, at, headers, csrfToken }, path, body) =>
      send(at(path), {
        method: 'PUT',
        headers: { ...headers, ...FORM },
        body: `csrf_token=${await csrfToken(path)}&${body}`,
      }),
  ],
  [
    'for an organization of other people',
    404,
    async ({ post, at, headers, csrfToken }, path, body) =>
      post(at(path).replace('2002', '1001'), `csrf_token=${await csrfToken(path)}&${body}`, headers),
  ],
  [
    'for no organization',
    404,
    async ({ post, at, headers, csrfToken }, path, body) =>
      post(at(path).split('?')[0] ?? '', `csrf_token=${await csrfToken(path)}&${body}`, headers),
  ],
]

describe.each(INVALID_REQUESTS)('a form that is sent %s', (_, status, send) => {
  test.each(FORMS)(
    `to %s, as %o, answers ${status} and changes nothing (RFC 6749 10.12)`,
    async (path, fields) => {
      const there = await cleo()
      const before = records(there.state())
      const answer = await send(there, await there.addressOf(path), new URLSearchParams(fields).toString())
      expect(answer.status).toBe(status)
      expect(answer.headers.get('Content-Type')).toContain('text/html')
      expect(records(there.state())).toEqual(before)
    },
  )
})

test.each(FORMS)('without a sign-in the sign-in page is shown: %s %o', async (path, fields) => {
  const there = await cleo()
  const before = records(there.state())
  const body = `csrf_token=${await there.csrfToken(path)}&${new URLSearchParams(fields).toString()}`
  const answer = await there.post(there.at(await there.addressOf(path)), body)
  expect(await answer.text()).toContain('Who are you?')
  expect(records(there.state())).toEqual(before)
})

test.each(FORMS)('the complete form is accepted: %s %o (5.1, 5.2)', async (path, fields) => {
  const there = await cleo()
  const before = records(there.state())
  const { status, to } = await there.fill(await there.addressOf(path), fields)
  expect([status, to]).toEqual([303, expect.stringContaining('&done=')])
  expect(records(there.state())).not.toEqual(before)
})

const BAD_BODIES = [
  '',
  'agreement=agreed&agreement=agreed',
  'action=save&action=delete',
  'action=constructor',
  'action=__proto__',
  'plan=enterprise',
  'plan=business&plan=standard',
  `plan=${encodeURIComponent(HOSTILE)}`,
  'name=+&redirect_uri=https%3A%2F%2Fa.example&agreement=agreed&action=save&description=a&description=b',
  `description=${'x'.repeat(501)}&agreement=agreed&action=save&name=a&redirect_uri=https%3A%2F%2Fa.example`,
  `name=${'x'.repeat(101)}&redirect_uri=https%3A%2F%2Fa.example&agreement=agreed&action=save&description=%00`,
  'client_id=plimsoll&client_id=plimsoll&agreement=agreed&description=%E2%80%AE&action=save',
  'client_id=unknown&action=renew',
]
test.each([...new Set(FORMS.map(([path]) => path))])(
  'a form with missing, repeated, too long or hostile values is refused, and changes nothing: %s',
  async (path) => {
    const there = await cleo()
    const address = await there.addressOf(path)
    const before = records(there.state())
    for (const body of BAD_BODIES) {
      const { status, text } = await there.fill(address, body)
      expect([body, [400, 422].includes(status)]).toEqual([body, true])
      expect(text).not.toMatch(/<script|<img/)
    }
    expect(records(there.state())).toEqual(before)
  },
)

test('a form with person_id only signs in', async () => {
  const { post, at, state } = await atSettings()
  const answer = await post(at('api-keys/add'), { person_id: 'ada', ...KEY })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, 'add?organization_id=2002'])
  expect(state().api_keys).toHaveLength(2)
})

test('the csrf token hides the cookie, and is the same on every page of a sign-in (RFC 6749 10.12)', async () => {
  const { csrfToken, headers } = await atSettings()
  const one = await csrfToken('plan')
  expect(one).toMatch(/^[\w-]{43}$/)
  expect(headers.Cookie).not.toContain(one)
  expect(await csrfToken('applications/add')).toBe(one)
})

test.each(['members_own', 'admins_only'] as const)(
  'with %s, members manage keys of their own or none (U76, S44, 5.1)',
  async (whokeys) => {
    const mayThey = whokeys === 'members_own'
    const there = await atSettings(
      { seed: issued(seed(), 2002, { keys: 2 }), choices: { whokeys } },
      'ada',
      '2002',
    )
    expect((await there.read('api-keys')).status).toBe(mayThey ? 200 : 403)
    expect((await there.fill('api-keys/add', KEY)).status).toBe(mayThey ? 303 : 403)
    expect(there.keys()).toHaveLength(mayThey ? 3 : 2)
  },
)
