/** Reads the settings into one object, or throws one message with every error. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { ASSUMED, type Assumptions } from '../../contract/assumptions.ts'
import type { Stated } from '../../contract/evidence.ts'
import { SETTINGS } from './table.ts'
import { isLoopback } from './values.ts'

const PREFIX = 'PLIMSOLL_'

type Name = keyof typeof SETTINGS
type Schemas = { [Of in Name]: (typeof SETTINGS)[Of]['schema'] }
type Values = v.InferOutput<v.ObjectSchema<Schemas, undefined>>
type Members = Omit<Values, 'COUNTS' | 'MONTH_ZONE'>
type Camel<Text extends string> = Text extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Text>

type InCamelCase = { [Of in keyof Members as Camel<Of>]: Members[Of] }

/** What the table names, as `serviceUrl` for PLIMSOLL_SERVICE_URL. Without that one: the embedded sandbox. */
export type Settings = InCamelCase & {
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
type Given = Partial<Record<Name, string>>

const SCHEMA = v.objectWithRest(
  Object.fromEntries(Object.entries(SETTINGS).map(([name, { schema }]) => [name, schema])),
  v.never(
    `is not a setting; the settings are ${Object.keys(SETTINGS)
      .map((name) => PREFIX + name)
      .join(', ')}`,
  ),
)

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
  const wrong = issues.map(({ path, message }) => ({ name: String(path?.[0]?.key), message }))
  const right = Object.entries(output as Values).filter(([at]) => !wrong.some(({ name }) => name === at))
  const values: Partial<Values> = Object.fromEntries(right)
  const clientSecret = secretOf(values, readFile)
  const proxy = proxyOf(environment, given)
  const errors = [
    ...wrong.map(({ name, message }) => `${PREFIX}${name} ${message}`),
    ...errorsBetween(given, { ...values, clientSecret, ...proxy }),
  ]
  if (errors.length > 0)
    throw new Error(['Plimsoll cannot start with these settings:', ...errors].join('\n  - '))
  return {
    ...toSettings(values as Values),
    ...(clientSecret !== undefined && { clientSecret }),
    ...proxy,
    isOperationsPortSet: given.OPERATIONS_PORT !== undefined,
    ...(given.TOKEN_ENCODING === undefined && { tokenEncoding: assumed.token_encoding }),
  }
}

const toSettings = ({ COUNTS, MONTH_ZONE, ...members }: Values) => ({
  ...inCamelCase(members),
  publicUrl: members.PUBLIC_URL ?? `http://localhost:${members.PORT}`,
  allowedHosts: members.ALLOWED_HOSTS ?? [],
  stated: { ...COUNTS, ...(MONTH_ZONE && { month_zones: MONTH_ZONE }) },
})

/** Kubernetes sets these for each Service: `plimsoll-web` gives PLIMSOLL_WEB_PORT=tcp://10.0.0.1:80. */
const SERVICE_LINK =
  /^\w+_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)=|^\w+_PORT=(tcp|udp|sctp):/

/** Ours, without the prefix. A name that is no setting stays if it is empty too. */
const givenIn = (environment: Environment): Given =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name, value]) => name.startsWith(PREFIX) && !SERVICE_LINK.test(`${name}=${value}`))
      .map(([name, value = '']) => [name.slice(PREFIX.length), value.trim()] as const)
      .filter(([name, value]) => value !== '' || !Object.hasOwn(SETTINGS, name)),
  )

const inCamelCase = (values: Members) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as InCamelCase

/** @returns `undefined` if the file cannot be read too */
function secretOf(values: Partial<Values>, readFile: (path: string) => string): string | undefined {
  const { CLIENT_SECRET, CLIENT_SECRET_FILE: path } = values
  try {
    return path === undefined ? CLIENT_SECRET : readFile(path).trim()
  } catch {
    return undefined
  }
}

/** The two variables that other programs read too, in small letters first, as they do. */
function proxyOf(environment: Environment, { SERVICE_URL }: Given) {
  const textOf = (name: string) => environment[name.toLowerCase()] || environment[name]
  const httpsProxy = textOf('HTTPS_PROXY')
  return SERVICE_URL === undefined || !httpsProxy ? {} : { httpsProxy, noProxy: textOf('NO_PROXY') ?? '' }
}

/** A real service needs a registered application; the sandbox signs in without a password. */
function errorsBetween(
  { SERVICE_URL, CLIENT_ID, CLIENT_SECRET, CLIENT_SECRET_FILE }: Given,
  values: Partial<Values> & { clientSecret: string | undefined; httpsProxy?: string },
): string[] {
  const { PUBLIC_URL, clientSecret, httpsProxy = 'http://none' } = values
  const isReal = SERVICE_URL !== undefined
  const need = 'is needed with PLIMSOLL_SERVICE_URL'
  const known: [isWrong: boolean, error: string][] = [
    [
      !isReal && PUBLIC_URL !== undefined && !isLoopback(PUBLIC_URL),
      'PLIMSOLL_SERVICE_URL is needed with a PLIMSOLL_PUBLIC_URL that others can reach, ' +
        'since the sandbox signs in without a password',
    ],
    [isReal && CLIENT_ID === undefined, `PLIMSOLL_CLIENT_ID ${need}`],
    [
      isReal && (CLIENT_SECRET ?? CLIENT_SECRET_FILE) === undefined,
      `PLIMSOLL_CLIENT_SECRET (or PLIMSOLL_CLIENT_SECRET_FILE) ${need}`,
    ],
    [
      CLIENT_SECRET !== undefined && CLIENT_SECRET_FILE !== undefined,
      'PLIMSOLL_CLIENT_SECRET_FILE is set beside PLIMSOLL_CLIENT_SECRET: only one of them can hold',
    ],
    [
      CLIENT_SECRET === undefined && CLIENT_SECRET_FILE !== undefined && !clientSecret,
      `PLIMSOLL_CLIENT_SECRET_FILE names a file that ${clientSecret === '' ? 'is empty' : 'cannot be read'}`,
    ],
    [
      !/^https?:\/\//i.test(httpsProxy) || !URL.canParse(httpsProxy),
      'HTTPS_PROXY must be an http or https address',
    ],
  ]
  return known.filter(([isWrong]) => isWrong).map(([, error]) => error)
}
