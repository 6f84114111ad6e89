/** Examines readable settings that may not fit each other, the service or the proxy. */
import { statSync } from 'node:fs'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { areRefusedBySafari } from '../../contract/cookie-name.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { isLoopback } from '../settings/values.ts'
import type { Settings } from '../settings/settings.ts'

interface Facts extends Settings {
  app: URL
  /** Absent: it is the sandbox. */
  service: URL | undefined
  isHttps: boolean
  /** Who may read the file of the secret besides its owner (chmod(2)). */
  readers: { group: boolean; others: boolean }
}

export function examineSettings(settings: Settings): Finding[] {
  const { publicUrl, serviceUrl, clientSecretFile: secretFile } = settings
  const hasMode = serviceUrl !== undefined && secretFile !== undefined && process.platform !== 'win32'
  const mode = hasMode ? statSync(secretFile).mode : 0
  const facts = {
    ...settings,
    app: new URL(publicUrl),
    service: serviceUrl === undefined ? undefined : new URL(serviceUrl),
    isHttps: publicUrl.startsWith('https:'),
    readers: { group: (mode & 0o070) !== 0, others: (mode & 0o007) !== 0 },
  }
  return CHECKS.map((check) => check(facts)).filter((found) => typeof found === 'object')
}

const isOpen = (host: string): boolean => !isLoopback(`http://${hostInUrl(host)}`)
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

type Check = (facts: Facts) => Finding | false | undefined

const CHECKS: readonly Check[] = [
  () => ok('settings', 'all of them can be read'),
  ({ publicUrl }) =>
    ok('redirect URI', `register ${publicUrl}${CALLBACK_PATH} at the service, letter by letter`),
  ({ isHttps, trustProxy, app, port }) =>
    !isHttps &&
    trustProxy === 0 &&
    Number(app.port || 80) !== port &&
    fault(
      'redirect URI',
      `people come back from the service to port ${app.port || 80}, and the app listens on ${port}`,
      'set PLIMSOLL_PUBLIC_URL to the address that people open, or leave it out',
    ),
  ({ service, publicUrl }) =>
    service &&
    isLoopback(publicUrl) &&
    warning(
      'redirect URI',
      `only this machine can open ${publicUrl}`,
      'set PLIMSOLL_PUBLIC_URL to an https address for other people',
    ),
  ({ service, serviceUrl }) =>
    service
      ? ok('service', `people sign in at ${serviceUrl}`)
      : warning(
          'service',
          'it is the sandbox: nothing is real',
          'set PLIMSOLL_SERVICE_URL to use the real service',
        ),
  ({ service, app }) =>
    service?.origin === app.origin
      ? fault(
          'service',
          'PLIMSOLL_SERVICE_URL and PLIMSOLL_PUBLIC_URL have the same origin',
          'give the app an address of its own',
        )
      : service?.hostname === app.hostname &&
        warning(
          'service',
          'app and service have the same host name, so each gets the cookies of the other',
          'give the app a host name of its own',
        ),
  ({ service, clientId, clientSecret }) =>
    service &&
    clientId === clientSecret &&
    fault(
      'application',
      'PLIMSOLL_CLIENT_ID and the secret are the same text',
      'copy both from the settings screen of the application',
    ),
  ({ service, clientSecret = '' }) =>
    service &&
    /^(["'`]).*\1$|\s/.test(clientSecret) &&
    fault(
      'secret',
      'the client secret has quotation marks around it, or white space in it',
      'store the secret alone',
    ),
  ({ readers }) =>
    readers.others
      ? fault(
          'secret',
          'every user of this machine may read PLIMSOLL_CLIENT_SECRET_FILE',
          'chmod 600, with the user that runs the app as its owner',
        )
      : readers.group &&
        warning('secret', 'the group of PLIMSOLL_CLIENT_SECRET_FILE may read it', 'chmod 600'),
  ({ service, clientSecretFile }) =>
    service &&
    clientSecretFile === undefined &&
    warning(
      'secret',
      'the client secret is in the environment, which every child process and every dump has',
      'store it in a file, and name that in PLIMSOLL_CLIENT_SECRET_FILE',
    ),
  ({ service }) =>
    service?.protocol === 'http:' &&
    warning(
      'https',
      'requests to the service are not encrypted',
      'use this for a service on this machine only',
    ),
  ({ isHttps }) => isHttps && ok('cookies', 'they are Secure, and the address is https'),
  ({ isHttps, publicUrl }) =>
    !isHttps &&
    (areRefusedBySafari(publicUrl)
      ? warning(
          'cookies',
          'they are Secure, and Safari stores none of this http address',
          'use http://localhost, http://127.0.0.1 or https for Safari',
        )
      : ok('cookies', 'they stay on this machine, and are not Secure')),
  ({ isHttps, trustProxy }) =>
    isHttps &&
    trustProxy === 0 &&
    fault(
      'proxy',
      'https needs a proxy before the app, and PLIMSOLL_TRUST_PROXY is 0: ' +
        'all people count as one address, and soon none can sign in',
      'set PLIMSOLL_TRUST_PROXY to the number of proxies',
    ),
  ({ isHttps, trustProxy }) =>
    !isHttps &&
    trustProxy > 0 &&
    warning(
      'proxy',
      `PLIMSOLL_TRUST_PROXY is ${trustProxy}, and the address is http: ` +
        'without a proxy everyone may claim any address',
      'set it to 0, unless a proxy stands before the app',
    ),
  ({ isHttps, trustProxy }) =>
    isHttps === trustProxy > 0 &&
    ok('proxy', trustProxy === 0 ? 'none is trusted' : `${trustProxy} stand before the app`),
  ({ isHttps, trustProxy, host }) =>
    isHttps &&
    trustProxy > 0 &&
    isOpen(host) &&
    warning(
      'proxy',
      'PLIMSOLL_HOST is an address that others may reach around the proxy, with any X-Forwarded-For',
      'set it to 127.0.0.1, or let a firewall pass the proxy alone',
    ),
  ({ operationsHost }) =>
    isOpen(operationsHost) &&
    warning(
      'operations',
      'others may reach health and metrics, which ask for no password',
      'set PLIMSOLL_OPERATIONS_HOST to 127.0.0.1, or let a firewall pass the monitoring alone',
    ),
  ({ operationsHost, allowedHosts }) =>
    isOpen(operationsHost) &&
    allowedHosts.length === 0 &&
    warning(
      'operations',
      'monitoring that asks by an address or another name than the public one gets 421',
      'put these names into PLIMSOLL_ALLOWED_HOSTS',
    ),
]
