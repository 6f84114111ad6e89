/** The settings by name without the prefix. `npm run fix` writes the table of docs/settings.md from them. */
import { API_KEY_HEADER } from '../../contract/credential.ts'
import * as v from 'valibot'
import * as values from './values.ts'

interface Row {
  /** What it may be, and the text that counts where it is not set. */
  schema: v.GenericSchema<string | undefined, unknown>
  /** What happens without the setting, where no text says it. */
  without?: string
  /** Markdown. */
  meaning: string
}

export const SETTINGS = {
  SERVICE_URL: {
    schema: v.optional(values.baseUrl),
    without: 'the embedded sandbox',
    meaning: `{base_url} of the service. You must set it when \`PLIMSOLL_PUBLIC_URL\` is not an address of
      this machine, because the sandbox signs people in without a password`,
  },
  CLIENT_ID: {
    schema: v.optional(values.clientId),
    without: "the sandbox's own",
    meaning: 'the Client Id of the registered application. Needed with `PLIMSOLL_SERVICE_URL`',
  },
  CLIENT_SECRET: {
    schema: v.optional(v.string()),
    without: "the sandbox's own",
    meaning: 'its Client Secret. Needed with `PLIMSOLL_SERVICE_URL`, here or in a file',
  },
  CLIENT_SECRET_FILE: {
    schema: v.optional(v.string()),
    meaning: 'a file that has the Client Secret. Do not set `PLIMSOLL_CLIENT_SECRET` beside it',
  },
  PUBLIC_URL: {
    schema: v.optional(values.origin),
    without: '`http://localhost:3000`, with the port of `PLIMSOLL_PORT`',
    meaning: `where browsers reach the app. The redirect URI to register is this address and
      \`/callback\`. At \`http://localhost\` and \`http://127.0.0.1\` the cookies [are not
      Secure](security.md#what-is-not)`,
  },
  PORT: { schema: v.optional(values.portUpTo(65535), '3000'), meaning: 'the port on which the app listens' },
  HOST: { schema: v.optional(values.host, '127.0.0.1'), meaning: 'the address on which the app listens' },
  TRUST_PROXY: {
    schema: v.optional(values.wholeNumber(0, 10), '0'),
    meaning: `how many proxies stand in front of the app (0 to 10). The address that limits count by is
      that many from the end of \`X-Forwarded-For\`. Above 0, \`X-Request-Id\` is [taken
      over](operations.md#the-log) too`,
  },
  ALLOWED_HOSTS: {
    schema: v.optional(values.hosts),
    meaning: `further host names and addresses by which a client may ask app, operations port and sandbox,
      separated by commas, without scheme and port: \`plimsoll-0.plimsoll,10.0.0.5\`. The host of
      \`PLIMSOLL_PUBLIC_URL\`, \`localhost\`, \`127.0.0.1\` and \`[::1]\` are always allowed, each with
      any port. A request for any other \`Host\` gets 421, because a page may have a name that an attacker
      resolved to this machine. A load balancer or Prometheus that asks by address or pod name [needs
      this](deploy.md#5-nginx)`,
  },
  OPERATIONS_PORT: {
    schema: v.optional(values.portUpTo(65535), '9464'),
    meaning: `the port of [health, readiness and metrics](operations.md), which is not for the public. If
      the default port is in use, the app starts without them and logs that`,
  },
  OPERATIONS_HOST: {
    schema: v.optional(values.host, '127.0.0.1'),
    meaning: 'the address of the operations port',
  },
  STORE: {
    schema: v.optional(values.store, 'sqlite:data/plimsoll.db'),
    meaning: `where the data is. For several machines: \`postgres://user:password@host:port/database\`, see
      [PostgreSQL](deploy.md#3-postgresql)`,
  },
  SANDBOX_PORT: {
    schema: v.optional(values.portUpTo(65534), '4000'),
    meaning: `the embedded sandbox. It listens on 127.0.0.1 while the app is on localhost, so that the two
      are different sites. Its control plane has the next port`,
  },
  TOKEN_ENCODING: {
    schema: v.optional(values.oneOf('form', 'json'), 'form'),
    meaning: `how the body of a token request is encoded: \`form\` or \`json\`. The service's document
      does not show it (4.2)`,
  },
  API_KEY_HEADER: {
    schema: v.optional(values.headerName, API_KEY_HEADER),
    meaning: 'the header that carries an API key (5.1.5)',
  },
  PKCE: {
    schema: v.optional(values.oneOf('off', 'S256'), 'off'),
    meaning: '`S256` sends a PKCE challenge too',
  },
  RESERVE_PERSON: {
    schema: v.optional(values.wholeNumber(0, 100), '10'),
    meaning: `how many of the last requests of a month (0 to 100) are for presses only. Within them the
      app does not repeat a request with a renewed token`,
  },
  RESERVE_SIGN_IN: {
    schema: v.optional(values.wholeNumber(0, 100), '2'),
    meaning: `how many of the last requests of a month (0 to 100) are for signing in. Within them each
      session may send one request a minute by pressing`,
  },
  MONTH_ZONE: {
    schema: v.optional(values.zone),
    meaning: `the time zone in which the service resets the month, if you know it: \`Asia/Tokyo\`. The
      service's document does not show it (8.3). Plimsoll shows evidence against it, but does not use it`,
  },
  COUNTS: {
    schema: v.optional(values.counts),
    meaning: `which requests count in the month, if you know it (8.3): \`yes\` or \`no\` for \`token.code\`,
      \`token.refresh\`, \`rate_limit\` and \`failed\`, for example \`token.refresh=no,rate_limit=yes\``,
  },
  SESSION_DAYS: {
    schema: v.optional(values.wholeNumber(1, 365), '90'),
    meaning: `after how many days (1 to 365) a session ends in any case. A longer one saves sign-ins,
      which cost requests`,
  },
  SESSION_IDLE_DAYS: {
    schema: v.optional(values.wholeNumber(1, 365), '30'),
    meaning: 'after how many days without use (1 to 365) a session ends',
  },
} as const satisfies Record<string, Row>
