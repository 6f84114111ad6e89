/** Reads the settings into one object, or throws one message with every error. */
import { ASSUMED, type Assumptions } from '../../contract/assumptions.ts'
import type { Stated } from '../../contract/evidence.ts'
import { SETTINGS } from './table.ts'
import { isLoopback } from './values.ts'

const PREFIX = 'PLIMSOLL_'

type Name = keyof typeof SETTINGS
type Parsed<Of extends Name> = ReturnType<(typeof SETTINGS)[Of]['parse']>
type Preset = { [Of in Name]: (typeof SETTINGS)[Of] extends { preset: string } ? Of : never }[Name]

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
  /** Proxies in front of the app; each adds an address to X-Forwarded-For. */
  trustProxy: number
  /** Host names beside those of the public URL and of this machine, as they are in a request. */
  allowedHosts: readonly string[]
  operationsPort: number
  isOperationsPortSet: boolean
  operationsHost: string
  store: Parsed<'STORE'>
  sandboxPort: number
  tokenEncoding: Parsed<'TOKEN_ENCODING'>
  apiKeyHeader: string
  pkce: Parsed<'PKCE'>
  /** Requests at the end of the month's limit that only a person's presses, or only sign-ins, may use. */
  reservePerson: number
  reserveSignIn: number
  /** HTTPS_PROXY and NO_PROXY, on the way to the service. */
  httpsProxy?: string
  noProxy?: string
  /** Facts about the service that the operator states. */
  stated: Stated
  /** A session ends after so many days, and after so many without use. */
  sessionDays: number
  sessionIdleDays: number
}

type Environment = Readonly<Record<string, string | undefined>>

interface SettingValues {
  isSet: (name: Name) => boolean
  value: <Of extends Name>(name: Of) => Parsed<Of> | (Of extends Preset ? never : undefined)
  errors: string[]
  addError: (name: Name, message: string) => void
}

/**
 * Reads all settings. An empty value counts as none. No error quotes a value.
 * @param environment the process's environment; names without our prefix are ignored
 * @param readFile reads a text file, for the secret
 * @param assumed the token encoding without a setting (4.2)
 * @throws Error whose message lists every error on a line
 */
export function readSettings(
  environment: Environment,
  readFile: (path: string) => string,
  assumed: Pick<Assumptions, 'token_encoding'> = ASSUMED,
): Settings {
  const own = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => !SERVICE_LINK.test(`${name}=${value}`)),
  )
  const values = readValues(own)
  values.errors.unshift(...unknownNames(own))
  const clientSecret = readSecret(values, readFile)
  checkApplication(values, clientSecret)
  checkSandbox(values)
  checkPorts(values)
  const proxy = readProxy(values, environment)
  if (values.errors.length > 0) {
    const lines = values.errors.map((line) => `  - ${line}`).join('\n')
    throw new Error(`Plimsoll cannot start with these settings:\n${lines}`)
  }
  return { ...toSettings(values, clientSecret, assumed), ...proxy }
}

function toSettings(
  { isSet, value }: SettingValues,
  clientSecret: string | undefined,
  assumed: Pick<Assumptions, 'token_encoding'>,
): Settings {
  const [serviceUrl, clientId, zone] = [value('SERVICE_URL'), value('CLIENT_ID'), value('MONTH_ZONE')]
  return {
    ...(serviceUrl !== undefined && { serviceUrl }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    publicUrl: value('PUBLIC_URL') ?? `http://localhost:${value('PORT')}`,
    port: value('PORT'),
    host: value('HOST'),
    trustProxy: value('TRUST_PROXY'),
    allowedHosts: value('ALLOWED_HOSTS') ?? [],
    operationsPort: value('OPERATIONS_PORT'),
    isOperationsPortSet: isSet('OPERATIONS_PORT'),
    operationsHost: value('OPERATIONS_HOST'),
    store: value('STORE'),
    sandboxPort: value('SANDBOX_PORT'),
    tokenEncoding: isSet('TOKEN_ENCODING') ? value('TOKEN_ENCODING') : assumed.token_encoding,
    apiKeyHeader: value('API_KEY_HEADER'),
    pkce: value('PKCE'),
    reservePerson: value('RESERVE_PERSON'),
    reserveSignIn: value('RESERVE_SIGN_IN'),
    stated: { ...value('COUNTS'), ...(zone !== undefined && { month_zones: zone }) },
    sessionDays: value('SESSION_DAYS'),
    sessionIdleDays: value('SESSION_IDLE_DAYS'),
  }
}

function readValues(environment: Environment): SettingValues {
  const textOf = (name: string) => environment[PREFIX + name]?.trim() || undefined
  const errors: string[] = []
  const addError = (name: Name, message: string) => void errors.push(`${PREFIX}${name} ${message}`)
  const values = new Map<string, unknown>()
  for (const [name, row] of Object.entries(SETTINGS)) {
    const preset = 'preset' in row ? row.preset : undefined
    const text = textOf(name) ?? preset
    try {
      if (text !== undefined) values.set(name, row.parse(text))
    } catch (error) {
      addError(name as Name, (error as Error).message)
      // The checks across settings need a value.
      if (preset !== undefined) values.set(name, row.parse(preset))
    }
  }
  return {
    isSet: (name) => textOf(name) !== undefined,
    value: (name) => values.get(name) as never,
    errors,
    addError,
  }
}

/** Kubernetes sets these for each Service: `plimsoll-web` gives PLIMSOLL_WEB_PORT=tcp://10.0.0.1:80. */
const SERVICE_LINK =
  /^\w+_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)=|^\w+_PORT=(tcp|udp|sctp):/

function unknownNames(environment: Environment): string[] {
  const known = Object.keys(SETTINGS).map((name) => PREFIX + name)
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) => `${name} is not a setting; the settings are ${known.join(', ')}`)
}

/** The file from which the client secret is read. */
export const secretFileOf = (environment: Environment): string | undefined =>
  environment[`${PREFIX}CLIENT_SECRET_FILE`]?.trim() || undefined

function readSecret(
  { value, addError }: SettingValues,
  readFile: (path: string) => string,
): string | undefined {
  const [secret, path] = [value('CLIENT_SECRET'), value('CLIENT_SECRET_FILE')]
  if (path === undefined) return secret
  if (secret !== undefined) {
    addError('CLIENT_SECRET_FILE', 'is set beside PLIMSOLL_CLIENT_SECRET: only one of them can hold')
    return secret
  }
  try {
    const read = readFile(path).trim()
    if (read === '') addError('CLIENT_SECRET_FILE', 'names a file that is empty')
    return read
  } catch {
    addError('CLIENT_SECRET_FILE', 'names a file that cannot be read')
    return undefined
  }
}

/** A real service needs a registered application. */
function checkApplication({ isSet, addError }: SettingValues, clientSecret: string | undefined): void {
  if (!isSet('SERVICE_URL')) return
  if (!isSet('CLIENT_ID')) addError('CLIENT_ID', 'is needed with PLIMSOLL_SERVICE_URL')
  if (clientSecret === undefined && !isSet('CLIENT_SECRET_FILE'))
    addError('CLIENT_SECRET', '(or PLIMSOLL_CLIENT_SECRET_FILE) is needed with PLIMSOLL_SERVICE_URL')
}

/** Reads the two variables that other programs read too, in small letters first, as they do. */
function readProxy(
  { isSet, errors }: SettingValues,
  environment: Environment,
): Pick<Settings, 'httpsProxy' | 'noProxy'> {
  const textOf = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined
  const [httpsProxy, noProxy] = [textOf('HTTPS_PROXY'), textOf('NO_PROXY')]
  if (!isSet('SERVICE_URL') || httpsProxy === undefined) return {}
  if (!/^https?:\/\//i.test(httpsProxy) || !URL.canParse(httpsProxy))
    errors.push('HTTPS_PROXY must be an http or https address')
  return { httpsProxy, ...(noProxy !== undefined && { noProxy }) }
}

/** The sandbox signs people in without a password, so it is for this machine only. */
function checkSandbox({ isSet, value, addError }: SettingValues): void {
  const publicUrl = value('PUBLIC_URL')
  if (!isSet('SERVICE_URL') && publicUrl !== undefined && !isLoopback(publicUrl))
    addError(
      'SERVICE_URL',
      `is needed with a ${PREFIX}PUBLIC_URL that others can reach, ` +
        'since the sandbox signs in without a password',
    )
}

/** Each listener needs its own port. */
function checkPorts({ isSet, value, addError }: SettingValues): void {
  const listeners: [Name, number][] = [
    ['PORT', value('PORT')],
    ['OPERATIONS_PORT', value('OPERATIONS_PORT')],
  ]
  const sandboxPort = value('SANDBOX_PORT')
  if (!isSet('SERVICE_URL')) listeners.push(['SANDBOX_PORT', sandboxPort], ['SANDBOX_PORT', sandboxPort + 1])
  for (const [at, [name, port]] of listeners.entries()) {
    const other = listeners.slice(0, at).find(([, taken]) => taken === port)
    if (other !== undefined) addError(name, `wants port ${port}, which ${PREFIX}${other[0]} has already`)
  }
}
