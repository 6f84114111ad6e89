/** Reads the settings into one object, or throws one message with every error. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { ASSUMED, type Assumptions } from '../../contract/assumptions.ts'
import { API_KEY_HEADER } from '../../contract/credential.ts'
import type { Stated } from '../../contract/evidence.ts'
import * as values from './values.ts'

const PREFIX = 'PLIMSOLL_'

/** What each may be, and the text that counts where it is not set. docs/settings.md says what they mean. */
export const SETTINGS = {
  serviceUrl: v.optional(values.baseUrl),
  clientId: v.optional(values.clientId),
  clientSecret: v.optional(v.string()),
  clientSecretFile: v.optional(v.string()),
  publicUrl: v.optional(values.origin),
  port: v.optional(values.portUpTo(65535), '3000'),
  host: v.optional(values.host, '127.0.0.1'),
  trustProxy: v.optional(values.wholeNumber(0, 10), '0'),
  allowedHosts: v.optional(values.hosts),
  operationsPort: v.optional(values.portUpTo(65535), '9464'),
  operationsHost: v.optional(values.host, '127.0.0.1'),
  store: v.optional(values.store, 'sqlite:data/plimsoll.db'),
  sandboxPort: v.optional(values.portUpTo(65534), '4000'),
  tokenEncoding: v.optional(values.oneOf('form', 'json'), 'form'),
  apiKeyHeader: v.optional(values.headerName, API_KEY_HEADER),
  pkce: v.optional(values.oneOf('off', 'S256'), 'off'),
  reservePerson: v.optional(values.wholeNumber(0, 100), '10'),
  reserveSignIn: v.optional(values.wholeNumber(0, 100), '2'),
  monthZone: v.optional(values.zone),
  counts: v.optional(values.counts),
  sessionDays: v.optional(values.wholeNumber(1, 365), '90'),
  sessionIdleDays: v.optional(values.wholeNumber(1, 365), '30'),
}

/** `PLIMSOLL_SERVICE_URL` for `serviceUrl`. */
export const nameOf = (key: string): string => PREFIX + key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()
const KEYS = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]
const NAMES = KEYS.map(nameOf)
const SCHEMA = v.object(SETTINGS)
type Values = v.InferOutput<typeof SCHEMA>

/** Without `serviceUrl`: the embedded sandbox. */
export type Settings = Omit<Values, 'counts' | 'monthZone'> & {
  publicUrl: string
  allowedHosts: readonly string[]
  isOperationsPortSet: boolean
  /** Facts about the service that the operator states. */
  stated: Stated
  /** HTTPS_PROXY and NO_PROXY, on the way to the service. */
  httpsProxy?: string
  noProxy?: string
}

type Environment = Readonly<Record<string, string | undefined>>
type Given = Partial<Record<keyof typeof SETTINGS, string>>

/**
 * Reads all settings. An empty value counts as none. No error quotes a value.
 * @param environment the process's environment; names without our prefix are ignored
 * @param readFile reads a text file, for the secret
 * @param assumed the token encoding without a setting (4.2)
 * @throws Error whose message lists every error on a line
 */
export function readSettings(
  environment: Environment,
  readFile = (path: string) => readFileSync(path, 'utf8'),
  assumed: Pick<Assumptions, 'token_encoding'> = ASSUMED,
): Settings {
  const given = givenIn(environment)
  const { output, issues = [] } = v.safeParse(SCHEMA, given, { abortPipeEarly: true })
  const wrong = new Map(issues.map(({ path, message }) => [String(path?.[0].key), message]))
  const right = Object.entries(output as Values).filter(([key]) => !wrong.has(key))
  const { counts, monthZone, ...members } = Object.fromEntries(right) as Values
  const clientSecret = secretOf(members, readFile)
  const proxy = proxyOf(environment, given)
  const errors = [
    ...strangersIn(environment),
    ...[...wrong].map(([key, message]) => `${nameOf(key)} ${message}`),
    ...errorsBetween(given, { ...members, clientSecret, ...proxy }),
  ]
  if (errors.length > 0)
    throw new Error(['Plimsoll cannot start with these settings:', ...errors].join('\n  - '))
  return {
    ...members,
    ...(clientSecret !== undefined && { clientSecret }),
    ...proxy,
    publicUrl: members.publicUrl ?? `http://localhost:${members.port}`,
    allowedHosts: members.allowedHosts ?? [],
    stated: { ...counts, ...(monthZone && { month_zones: monthZone }) },
    isOperationsPortSet: given.operationsPort !== undefined,
    ...(given.tokenEncoding === undefined && { tokenEncoding: assumed.token_encoding }),
  }
}

/** Kubernetes sets these for each Service: `plimsoll-web` gives PLIMSOLL_WEB_PORT=tcp://10.0.0.1:80. */
const SERVICE_LINK =
  /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)=|_PORT=(tcp|udp|sctp):/
const isLink = (name: string, value = ''): boolean => SERVICE_LINK.test(`${name}=${value}`)

function givenIn(environment: Environment): Given {
  const texts = KEYS.map((key) => [key, environment[nameOf(key)]?.trim()] as const)
  return Object.fromEntries(texts.filter(([key, text]) => text && !isLink(nameOf(key), text)))
}

const strangersIn = (environment: Environment): string[] =>
  Object.entries(environment)
    .filter(([name, value]) => name.startsWith(PREFIX) && !NAMES.includes(name) && !isLink(name, value))
    .map(([name]) => `${name} is not a setting; the settings are ${NAMES.join(', ')}`)

type Secret = Pick<Values, 'clientSecret' | 'clientSecretFile'>

/** @returns `undefined` if the file cannot be read too */
function secretOf({ clientSecret, clientSecretFile: path }: Secret, readFile: (path: string) => string) {
  try {
    return path === undefined ? clientSecret : readFile(path).trim()
  } catch {
    return undefined
  }
}

/** The two variables that other programs read too, in small letters first, as they do. */
function proxyOf(environment: Environment, { serviceUrl }: Given) {
  const textOf = (name: string) => environment[name.toLowerCase()] || environment[name]
  const httpsProxy = textOf('HTTPS_PROXY')
  return serviceUrl === undefined || !httpsProxy ? {} : { httpsProxy, noProxy: textOf('NO_PROXY') ?? '' }
}

/** A real service needs a registered application; the sandbox signs in without a password. */
function errorsBetween(
  { serviceUrl, clientId, clientSecret, clientSecretFile }: Given,
  read: { publicUrl?: string | undefined; clientSecret: string | undefined; httpsProxy?: string },
): string[] {
  const { publicUrl, httpsProxy } = read
  const isReal = serviceUrl !== undefined
  const isPublic = publicUrl !== undefined && !values.isLoopback(publicUrl)
  const isProxy = (address: string) => /^https?:\/\//i.test(address) && URL.canParse(address)
  const need = 'is needed with PLIMSOLL_SERVICE_URL'
  const ofFile = 'PLIMSOLL_CLIENT_SECRET_FILE'
  const errors: [isWrong: boolean, error: string][] = [
    [
      !isReal && isPublic,
      'PLIMSOLL_SERVICE_URL is needed with a PLIMSOLL_PUBLIC_URL that others can reach, ' +
        'since the sandbox signs in without a password',
    ],
    [isReal && clientId === undefined, `PLIMSOLL_CLIENT_ID ${need}`],
    [
      isReal && (clientSecret ?? clientSecretFile) === undefined,
      `PLIMSOLL_CLIENT_SECRET (or ${ofFile}) ${need}`,
    ],
    [
      clientSecret !== undefined && clientSecretFile !== undefined,
      `${ofFile} is set beside PLIMSOLL_CLIENT_SECRET: only one of them can hold`,
    ],
    [
      clientSecret === undefined && clientSecretFile !== undefined && !read.clientSecret,
      `${ofFile} names a file that ${read.clientSecret === '' ? 'is empty' : 'cannot be read'}`,
    ],
    [httpsProxy !== undefined && !isProxy(httpsProxy), 'HTTPS_PROXY must be an http or https address'],
  ]
  return errors.flatMap(([isWrong, error]) => (isWrong ? [error] : []))
}
