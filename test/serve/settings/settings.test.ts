import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameOf, readSettings, SETTINGS, type Settings } from '../../../src/serve/settings/settings.ts'

type Environment = Record<string, string>

const REAL: Environment = {
  PLIMSOLL_SERVICE_URL: 'https://tasks.example',
  PLIMSOLL_CLIENT_ID: 'plimsoll',
  PLIMSOLL_CLIENT_SECRET: 'hush',
}
const FILES: Environment = { '/run/secret': '\uFEFFfrom a file\n', '/run/empty': ' \n' }

function readFile(path: string): string {
  const text = FILES[path]
  if (text === undefined) throw new Error(`ENOENT: ${path}`)
  return text
}

const read = (environment: Environment): Settings => readSettings(environment, readFile)

function errorsOf(environment: Environment): string[] {
  try {
    read(environment)
    return []
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
}

test('nothing set is the sandbox on this machine, without any secret (settings)', () => {
  expect(read({ HOME: '/somewhere', CLIENT_SECRET: 'of another program' })).toEqual({
    publicUrl: 'http://localhost:3000',
    port: 3000,
    host: '127.0.0.1',
    trustProxy: 0,
    allowedHosts: [],
    operationsPort: 9464,
    isOperationsPortSet: false,
    operationsHost: '127.0.0.1',
    store: { kind: 'sqlite', path: 'data/plimsoll.db' },
    sandboxPort: 4000,
    tokenEncoding: 'form',
    apiKeyHeader: 'X-Service-Api-Key',
    pkce: 'off',
    reservePerson: 10,
    reserveSignIn: 2,
    stated: {},
    sessionDays: 90,
    sessionIdleDays: 30,
  })
})

/** Each setting, a value as it is written, and as it is taken. */
const TAKEN: readonly [name: string, written: string, taken: Partial<Settings>][] = [
  ['SERVICE_URL', 'https://tasks.example', { serviceUrl: 'https://tasks.example' }],
  ['CLIENT_ID', 'plimsoll', { clientId: 'plimsoll' }],
  ['CLIENT_SECRET', 'hush', { clientSecret: 'hush' }],
  ['PUBLIC_URL', 'https://plimsoll.example/', { publicUrl: 'https://plimsoll.example' }],
  ['PORT', '8080', { port: 8080 }],
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['TRUST_PROXY', '2', { trustProxy: 2 }],
  [
    'ALLOWED_HOSTS',
    'Plimsoll.internal., 10.0.0.5,fd00:0::5',
    { allowedHosts: ['plimsoll.internal', '10.0.0.5', '[fd00::5]'] },
  ],
  ['OPERATIONS_PORT', '9000', { operationsPort: 9000, isOperationsPortSet: true }],
  ['OPERATIONS_HOST', '::1', { operationsHost: '::1' }],
  ['STORE', 'postgres://user:word@db/x', { store: { kind: 'postgres', url: 'postgres://user:word@db/x' } }],
  ['SANDBOX_PORT', '5000', { sandboxPort: 5000 }],
  ['TOKEN_ENCODING', 'json', { tokenEncoding: 'json' }],
  ['API_KEY_HEADER', 'X-Key', { apiKeyHeader: 'X-Key' }],
  ['PKCE', 'S256', { pkce: 'S256' }],
  ['RESERVE_PERSON', '0', { reservePerson: 0 }],
  ['RESERVE_SIGN_IN', '100', { reserveSignIn: 100 }],
  ['MONTH_ZONE', 'asia/tokyo', {}],
  [
    'COUNTS',
    'token.refresh=no, failed = yes',
    { stated: { token_refresh_counts: 'no', failed_requests_count: 'yes', month_zones: 'Asia/Tokyo' } },
  ],
  ['SESSION_DAYS', '365', { sessionDays: 365 }],
  ['SESSION_IDLE_DAYS', '1', { sessionIdleDays: 1 }],
]
const ALL: Environment = Object.fromEntries(TAKEN.map(([name, text]) => [`PLIMSOLL_${name}`, text]))

test('everything set is taken as it is (settings)', () => {
  expect(read(ALL)).toEqual(Object.assign({}, ...TAKEN.map(([, , taken]) => taken)))
})

test('the proxy of the machine is read with the service, in small letters first (settings)', () => {
  const [large, small] = ['http://user:word@large.example:3128', 'http://small.example:3128']
  const proxyOf = (set: Environment) => {
    const { httpsProxy, noProxy } = read(set)
    return [httpsProxy, noProxy]
  }
  const both = { HTTPS_PROXY: large, NO_PROXY: '.example,10.0.0.1' }
  expect(proxyOf({ ...REAL, ...both })).toEqual([large, '.example,10.0.0.1'])
  expect(proxyOf({ ...REAL, ...both, https_proxy: small })[0]).toBe(small)
  expect(proxyOf({ ...REAL, HTTPS_PROXY: '' })).toEqual([undefined, undefined])
  expect(proxyOf({ HTTPS_PROXY: 'of nobody' })).toEqual([undefined, undefined])
})

test.each(['proxy.example:3128', 'socks5://word@proxy.example', 'http://'])(
  'a proxy at %s is one error that does not quote it (settings)',
  (HTTPS_PROXY) => {
    expect(errorsOf({ ...REAL, HTTPS_PROXY })).toEqual(['  - HTTPS_PROXY must be an http or https address'])
  },
)

test('an empty value is as good as none (settings)', () => {
  const names = [
    ...Object.keys(REAL),
    ...['CLIENT_SECRET_FILE', 'PORT', 'STORE', 'PKCE'].map((n) => `PLIMSOLL_${n}`),
  ]
  expect(read(Object.fromEntries(names.map((name) => [name, ' '])))).toEqual(read({}))
})

test.each([
  ['https://tasks.example/', 'https://tasks.example'],
  ['https://tasks.example/api/v2//', 'https://tasks.example/api/v2'],
  ['HTTPS://Tasks.Example:443/Api', 'https://tasks.example/Api'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://[::1]:4000/', 'http://[::1]:4000'],
])('the service at %s is asked at %s (settings)', (written, asked) => {
  expect(read({ ...REAL, PLIMSOLL_SERVICE_URL: written }).serviceUrl).toBe(asked)
})

test.each<[string, string, Partial<Settings>]>([
  ['STORE', 'sqlite:/var/lib/plimsoll.db', { store: { kind: 'sqlite', path: '/var/lib/plimsoll.db' } }],
  ['STORE', 'postgresql://db/x', { store: { kind: 'postgres', url: 'postgresql://db/x' } }],
  // The public address follows it.
  ['PORT', '8080', { publicUrl: 'http://localhost:8080' }],
])('PLIMSOLL_%s=%s is taken as %j (settings)', (name, text, taken) => {
  expect(read({ [`PLIMSOLL_${name}`]: text })).toMatchObject(taken)
})

test('the secret comes from a file, without the mark and line end of editors (settings)', () => {
  const { PLIMSOLL_CLIENT_SECRET: _, ...rest } = REAL
  expect(read({ ...rest, PLIMSOLL_CLIENT_SECRET_FILE: '/run/secret' }).clientSecret).toBe('from a file')
})

describe('one error is one line that begins with its name', () => {
  test.each([
    ['PLIMSOLL_SERVICE_URL', 'tasks.example', 'must be an https address'],
    ['PLIMSOLL_SERVICE_URL', 'ftp://tasks.example', 'must be an https address'],
    ['PLIMSOLL_SERVICE_URL', 'https://user:word@tasks.example', 'without a user name, password'],
    ['PLIMSOLL_SERVICE_URL', 'https://tasks.example/?a=1', 'without a user name, password, ? or #'],
    ['PLIMSOLL_SERVICE_URL', 'http://tasks.example', 'or http on this machine'],
    ['PLIMSOLL_SERVICE_URL', 'http://127.0.0.1.evil.example', 'or http on this machine'],
    ['PLIMSOLL_SERVICE_URL', 'http://localhost.evil.example', 'or http on this machine'],
    ['PLIMSOLL_CLIENT_ID', ' ', 'is needed with PLIMSOLL_SERVICE_URL'],
    ['PLIMSOLL_CLIENT_ID', 'two words', 'visible ASCII'],
    ['PLIMSOLL_CLIENT_SECRET', '', 'is needed with PLIMSOLL_SERVICE_URL'],
    ['PLIMSOLL_CLIENT_SECRET_FILE', '/run/secret', 'only one of them'],
    ['PLIMSOLL_PUBLIC_URL', 'https://plimsoll.example/app', 'without a path'],
    ['PLIMSOLL_PUBLIC_URL', 'http://plimsoll.example', 'must be an https address'],
    ['PLIMSOLL_PORT', '0', 'from 1 to 65535'],
    ['PLIMSOLL_PORT', '65536', 'from 1 to 65535'],
    ['PLIMSOLL_PORT', '3e3', 'from 1 to 65535'],
    ['PLIMSOLL_SANDBOX_PORT', '65535', 'from 1 to 65534'],
    ['PLIMSOLL_HOST', 'a b', 'an address or a name'],
    ['PLIMSOLL_HOST', '0.0.0.0:3000', 'without a port'],
    ['PLIMSOLL_OPERATIONS_HOST', '0.0.0.0:9464', 'without a port'],
    ['PLIMSOLL_TRUST_PROXY', '11', 'a number from 0 to 10'],
    ['PLIMSOLL_TRUST_PROXY', 'true', 'a number from 0 to 10'],
    ['PLIMSOLL_ALLOWED_HOSTS', 'plimsoll.internal:9464', 'without scheme and port'],
    ['PLIMSOLL_ALLOWED_HOSTS', 'http://plimsoll.internal', 'without scheme and port'],
    ['PLIMSOLL_ALLOWED_HOSTS', '*.internal', 'host names or addresses'],
    ['PLIMSOLL_ALLOWED_HOSTS', 'a,,b', 'separated by commas'],
    ['PLIMSOLL_ALLOWED_HOSTS', 'a b', 'separated by commas'],
    ['PLIMSOLL_STORE', 'sqlite:', 'sqlite:<file> or postgres://<host>'],
    ['PLIMSOLL_STORE', 'redis://cache.example', 'sqlite:<file> or postgres://<host>'],
    ['PLIMSOLL_TOKEN_ENCODING', 'xml', 'one of form, json'],
    ['PLIMSOLL_PKCE', 's256', 'one of off, S256'],
    ['PLIMSOLL_MONTH_ZONE', 'Tokyo', 'the name of a time zone'],
    ['PLIMSOLL_COUNTS', 'token.refresh=maybe', 'a list such as token.refresh=no'],
    ['PLIMSOLL_COUNTS', 'toString=no', 'a list such as token.refresh=no'],
    ['PLIMSOLL_RESERVE_PERSON', '101', 'a number from 0 to 100'],
    ['PLIMSOLL_SESSION_DAYS', '366', 'a number from 1 to 365'],
    ['PLIMSOLL_RESERVE_SIGN_IN', '-1', 'a number from 0 to 100'],
    ['PLIMSOLL_API_KEY_HEADER', 'X Key', 'a header that is free'],
    ['PLIMSOLL_API_KEY_HEADER', 'authorization', 'a header that is free'],
    ['PLIMSOLL_API_KEY_HEADER', 'Keep-Alive', 'a header that is free'],
  ])('%s=%j (settings)', (name, value, wish) => {
    const errors = errorsOf({ ...REAL, [name]: value })
    expect(errors).toEqual([expect.stringContaining(wish)])
    expect(errors[0]).toMatch(new RegExp(`^  - ${name} `))
  })
})

test.each(['/run/none', '/run/empty'])(
  'a secret file that gives nothing is one error: %s (settings)',
  (path) => {
    const { PLIMSOLL_CLIENT_SECRET: _, ...rest } = REAL
    expect(errorsOf({ ...rest, PLIMSOLL_CLIENT_SECRET_FILE: path })).toEqual([
      expect.stringContaining('PLIMSOLL_CLIENT_SECRET_FILE names a file'),
    ])
  },
)

test('an address that others can reach needs a service, since the sandbox has no passwords (settings)', () => {
  expect(errorsOf({ PLIMSOLL_PUBLIC_URL: 'https://plimsoll.example' })).toEqual([
    '  - PLIMSOLL_SERVICE_URL is needed with a PLIMSOLL_PUBLIC_URL that others can reach, since the sandbox signs in without a password',
  ])
  for (const url of ['https://localhost:8443', 'http://127.0.0.1:3000', 'https://[::1]'])
    expect(errorsOf({ PLIMSOLL_PUBLIC_URL: url })).toEqual([])
})

test.each([
  ['is near another', 'PLIMSOLL_CLIENT_SECRTE', /PLIMSOLL_CLIENT_SECRTE is not a setting; .*CLIENT_SECRET,/],
  [
    'is near none',
    'PLIMSOLL_COLOUR',
    /^ {2}- PLIMSOLL_COLOUR is .*SERVICE_URL, .*PLIMSOLL_SESSION_IDLE_DAYS$/,
  ],
])('a name that %s is refused, with the names that there are (settings)', (_, name, line) => {
  expect(errorsOf({ [name]: 'hush', PLIMSOL_PORT: '1' })).toEqual([expect.stringMatching(line)])
})

test('what Kubernetes sets for a Service named plimsoll, or plimsoll-..., is no setting (settings)', () => {
  const of = (service: string, scheme = 'tcp') => ({
    [`${service}_SERVICE_HOST`]: '10.0.0.1',
    [`${service}_SERVICE_PORT`]: '80',
    [`${service}_SERVICE_PORT_HTTP`]: '80',
    [`${service}_PORT`]: `${scheme}://10.0.0.1:80`,
    [`${service}_PORT_80_${scheme.toUpperCase()}`]: `${scheme}://10.0.0.1:80`,
    [`${service}_PORT_80_${scheme.toUpperCase()}_PROTO`]: scheme,
    [`${service}_PORT_80_${scheme.toUpperCase()}_PORT`]: '80',
    [`${service}_PORT_80_${scheme.toUpperCase()}_ADDR`]: '10.0.0.1',
  })
  const links = {
    ...of('PLIMSOLL'),
    ...of('PLIMSOLL_OPERATIONS'),
    ...of('PLIMSOLL_SANDBOX'),
    ...of('PLIMSOLL_STORE', 'udp'),
  }
  expect(read(links)).toEqual(read({}))
  expect(read({ ...links, PLIMSOLL_PORT: '8080' }).port).toBe(8080)
  expect(errorsOf({ PLIMSOLL_STORE_PORT: '80', PLIMSOLL_PORT: 'http://10.0.0.1' })).toHaveLength(2)
})

test('eight errors are reported in one message (settings)', () => {
  const faulty = {
    PLIMSOLL_SERVICE_URL: 'tasks.example',
    PLIMSOLL_CLIENT_ID: 'two words',
    PLIMSOLL_CLIENT_SECRET_FILE: '/run/none',
    PLIMSOLL_PUBLIC_URL: 'http://plimsoll.example',
    PLIMSOLL_PORT: 'many',
    PLIMSOLL_STORE: 'postgres:',
    PLIMSOLL_PKCE: 'yes',
    PLIMSOLL_API_KEY_HEADER: 'Cookie',
  }
  const named = errorsOf(faulty).map((line) => /PLIMSOLL_\w+/.exec(line)?.[0] ?? '')
  expect(named).toHaveLength(8)
  expect(new Set(named)).toEqual(new Set(Object.keys(faulty)))
})

test('no message quotes the client secret, in whichever setting it was put (settings)', () => {
  const secrets = fc.stringMatching(/^[A-Za-z0-9/+]{12,40}={1,2}$/)
  const names = fc.constantFrom(...Object.keys(ALL).filter((name) => name !== 'PLIMSOLL_CLIENT_ID'))
  const forms = fc.constantFrom<(secret: string) => string>(
    (secret) => secret,
    (secret) => `postgres:/user:${secret}@db.example`,
    (secret) => `https://user:${encodeURIComponent(secret)}@tasks.example`,
    (secret) => `ftp://user:${encodeURIComponent(secret)}@tasks.example`,
    (secret) => `https://tasks.example/${encodeURIComponent(secret)}?secret=${encodeURIComponent(secret)}`,
    (secret) => `http://${secret.replaceAll(/[^a-z0-9]/gi, '')}.example`,
  )
  fc.assert(
    fc.property(secrets, names, forms, (secret, name, write) => {
      const broken = { PLIMSOLL_OPERATIONS_PORT: '0', PLIMSOLL_CLIENT_SECRET: secret }
      const message = errorsOf({ ...REAL, ...broken, [name]: write(secret), PLIMSOLL_PKCE: secret })
        .join('\n')
        .toLowerCase()
      expect(message).toContain('plimsoll_pkce')
      const bare = secret.replaceAll(/[^a-z0-9]/gi, '')
      // Without its signs a secret may be one letter, which is in every message.
      for (const part of [secret, encodeURIComponent(secret), ...(bare.length < 8 ? [] : [bare])])
        expect(message).not.toContain(part.toLowerCase())
    }),
  )
})

test('docs/settings.md has each setting, with its default', () => {
  const page = readFileSync('docs/settings.md', 'utf8')
  const rows = [...page.matchAll(/^\| `(PLIMSOLL_\w+)` \| (?:`([^`]*)`|[^|]*) \|/gm)]
  expect(rows.map(([, name, text]) => [name, text])).toEqual(
    Object.entries(SETTINGS).map(([key, schema]) => [nameOf(key), schema.default]),
  )
})
