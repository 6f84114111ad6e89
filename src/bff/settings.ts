/** The only file that reads settings: the environment goes in once, at the start, and one object or every fault comes out. */
import { ASSUMED, type Assumptions } from '../contract/assumptions.ts'

export interface Settings {
  /** {base_url} of the service, without a slash at the end; absent: the embedded sandbox. */
  serviceUrl?: string
  /** The registered application; absent: the sandbox's own. */
  clientId?: string
  clientSecret?: string
  /** Origin at which browsers reach the app, without a slash at the end. */
  publicUrl: string
  port: number
  host: string
  operationsPort: number
  store: { kind: 'sqlite'; path: string } | { kind: 'redis'; url: string }
  sandboxPort: number
  tokenEncoding: 'form' | 'json'
  apiKeyHeader: string
  pkce: 'off' | 'S256'
}

const PREFIX = 'PLIMSOLL_'
const NAMES = [
  'SERVICE_URL',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'CLIENT_SECRET_FILE',
  'PUBLIC_URL',
  'PORT',
  'HOST',
  'OPERATIONS_PORT',
  'STORE',
  'SANDBOX_PORT',
  'TOKEN_ENCODING',
  'API_KEY_HEADER',
  'PKCE',
] as const
type Name = (typeof NAMES)[number]

// Headers with a meaning of their own; a key in one of them would break the request or reach the wrong reader.
const TAKEN_HEADERS =
  /^(authorization|cookie|host|connection|content-.*|transfer-encoding|accept.*|te|upgrade|expect|keep-alive|trailer|proxy-.*)$/i

/**
 * Reads all settings. An empty value is as good as none. No fault ever quotes a secret.
 * @param environment the process's environment; names without our prefix are not looked at
 * @param readFile reads a text file, for the secret
 * @param assumed the encoding where no setting names one (4.2)
 * @throws Error whose message lists every fault, a line each
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  assumed: Pick<Assumptions, 'token_encoding'> = ASSUMED,
): Settings {
  const faults: string[] = []
  const value = (name: Name) => environment[PREFIX + name]?.trim() || undefined
  const fault = (name: Name, wish: string) => {
    faults.push(`${PREFIX}${name} ${wish}`)
    return undefined
  }

  for (const name of Object.keys(environment)) {
    if (name.startsWith(PREFIX) && !NAMES.includes(name.slice(PREFIX.length) as Name)) {
      faults.push(
        `${name} is not a setting; the settings are ${NAMES.map((known) => PREFIX + known).join(', ')}`,
      )
    }
  }

  const port = (name: Name, preset: number, most = 65535) => {
    const text = value(name)
    if (text === undefined) return preset
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= 1 && number <= most) return number
    fault(name, `has to be a port from 1 to ${most}, not "${text}"`)
    return preset
  }
  const oneOf = <const Choice extends string>(
    name: Name,
    choices: readonly [Choice, ...Choice[]],
    preset: Choice = choices[0],
  ): Choice => {
    const text = value(name)
    const choice = choices.find((c) => c === text)
    if (text !== undefined && choice === undefined)
      fault(name, `has to be one of ${choices.join(', ')}, not "${text}"`)
    return choice ?? preset
  }
  // Quoted only when there is no place left in it for a password.
  const url = (name: Name, text: string, pathAllowed: boolean): string | undefined => {
    if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
      return fault(name, 'has to be an http or https address')
    const parsed = new URL(text)
    if (parsed.username || parsed.password)
      return fault(name, 'has to be an address without a user name or password')
    if (parsed.search || parsed.hash) return fault(name, 'has to be an address without ? and #')
    if (!pathAllowed && parsed.pathname !== '/')
      return fault(name, `has to be an address without a path, not "${text}"`)
    if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname)) {
      return fault(name, `has to be https, since ${parsed.hostname} is not this machine`)
    }
    return (parsed.origin + parsed.pathname).replace(/\/+$/, '')
  }

  const appPort = port('PORT', 3000)
  // The sandbox's control plane is one port above it.
  const sandboxPort = port('SANDBOX_PORT', 4000, 65534)
  const operationsPort = port('OPERATIONS_PORT', 9464)
  const serviceText = value('SERVICE_URL')
  const serviceUrl = serviceText === undefined ? undefined : url('SERVICE_URL', serviceText, true)
  const publicUrl = url('PUBLIC_URL', value('PUBLIC_URL') ?? `http://localhost:${appPort}`, false)
  const clientId = value('CLIENT_ID')
  if (clientId !== undefined && !VISIBLE.test(clientId))
    fault('CLIENT_ID', 'has to be visible ASCII characters')
  const clientSecret = readSecret()
  if (serviceText !== undefined) {
    if (clientId === undefined) fault('CLIENT_ID', 'is needed with PLIMSOLL_SERVICE_URL')
    if (clientSecret === undefined && value('CLIENT_SECRET_FILE') === undefined) {
      fault('CLIENT_SECRET', '(or PLIMSOLL_CLIENT_SECRET_FILE) is needed with PLIMSOLL_SERVICE_URL')
    }
  }
  const host = value('HOST') ?? '127.0.0.1'
  if (!/^[A-Za-z0-9.:-]+$/.test(host))
    fault('HOST', `has to be an address or a name of this machine, not "${host}"`)
  const apiKeyHeader = value('API_KEY_HEADER') ?? 'X-Service-Api-Key'
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(apiKeyHeader) || TAKEN_HEADERS.test(apiKeyHeader)) {
    // Not quoted: what stands here by mistake may be the key.
    fault('API_KEY_HEADER', 'has to be the name of a header that is free for it')
  }
  const store = readStore(value('STORE') ?? 'sqlite:data/plimsoll.db')
  const listeners: [Name, number][] = [
    ['PORT', appPort],
    ['OPERATIONS_PORT', operationsPort],
  ]
  if (serviceText === undefined)
    listeners.push(['SANDBOX_PORT', sandboxPort], ['SANDBOX_PORT', sandboxPort + 1])
  for (const [at, [name, number]] of listeners.entries()) {
    const other = listeners.slice(0, at).find(([, taken]) => taken === number)
    if (other !== undefined) fault(name, `wants port ${number}, which ${PREFIX}${other[0]} has already`)
  }
  const tokenEncoding = oneOf('TOKEN_ENCODING', ['form', 'json'], assumed.token_encoding)
  const pkce = oneOf('PKCE', ['off', 'S256'])

  if (faults.length > 0 || publicUrl === undefined || store === undefined) {
    throw new Error(
      `Plimsoll cannot start with these settings:\n${faults.map((line) => `  - ${line}`).join('\n')}`,
    )
  }
  return {
    ...(serviceUrl === undefined ? {} : { serviceUrl }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    publicUrl,
    port: appPort,
    host,
    operationsPort,
    store,
    sandboxPort,
    tokenEncoding,
    apiKeyHeader,
    pkce,
  }

  function readSecret(): string | undefined {
    const [secret, path] = [value('CLIENT_SECRET'), value('CLIENT_SECRET_FILE')]
    if (path === undefined) return secret
    if (secret !== undefined)
      return fault('CLIENT_SECRET_FILE', 'is set beside PLIMSOLL_CLIENT_SECRET: only one of them can hold')
    try {
      return readFile(path).trim() || fault('CLIENT_SECRET_FILE', 'names a file that is empty')
    } catch {
      // Not quoted: what stands here by mistake may be the secret.
      return fault('CLIENT_SECRET_FILE', 'names a file that cannot be read')
    }
  }

  function readStore(text: string): Settings['store'] | undefined {
    if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length)
      return { kind: 'sqlite', path: text.slice('sqlite:'.length) }
    if (/^rediss?:\/\/./.test(text) && URL.canParse(text)) return { kind: 'redis', url: text }
    return fault('STORE', 'has to be sqlite:<file> or redis://<host>')
  }
}

const VISIBLE = /^[\x21-\x7e]+$/

const isLoopback = (hostname: string) =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
