/** Examines readable settings that may not fit each other, the service or the proxy. */
import { statSync } from 'node:fs'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { areRefusedBySafari } from '../../contract/cookie-name.ts'
import type { Settings } from '../settings/settings.ts'
import { isLoopback } from '../settings/values.ts'
import { type Check, examine, type Finding } from './finding.ts'

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
  return examine(CHECKS, facts)
}

const isOpen = (host: string): boolean => !isLoopback(`http://${hostInUrl(host)}`)
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

const CHECKS: readonly Check<Facts>[] = [
  { about: 'settings', ok: () => 'all of them can be read' },
  {
    about: 'redirect URI',
    ok: ({ publicUrl }) => `register ${publicUrl}${CALLBACK_PATH} at the service, letter by letter`,
  },
  {
    about: 'redirect URI',
    fault: ({ isHttps, trustProxy, app, port }) =>
      !isHttps &&
      trustProxy === 0 &&
      Number(app.port || 80) !== port &&
      `people come back from the service to port ${app.port || 80}, and the app listens on ${port}`,
    advice: 'set PLIMSOLL_PUBLIC_URL to the address that people open, or leave it out',
  },
  {
    about: 'redirect URI',
    warning: ({ service, publicUrl }) =>
      service && isLoopback(publicUrl) && `only this machine can open ${publicUrl}`,
    advice: 'set PLIMSOLL_PUBLIC_URL to an https address for other people',
  },
  {
    about: 'service',
    warning: ({ service }) => !service && 'it is the sandbox: nothing is real',
    ok: ({ serviceUrl }) => `people sign in at ${serviceUrl}`,
    advice: 'set PLIMSOLL_SERVICE_URL to use the real service',
  },
  {
    about: 'service',
    fault: ({ service, app }) =>
      service?.origin === app.origin && 'PLIMSOLL_SERVICE_URL and PLIMSOLL_PUBLIC_URL have the same origin',
    advice: 'give the app an address of its own',
  },
  {
    about: 'service',
    warning: ({ service, app }) =>
      service?.hostname === app.hostname &&
      service.origin !== app.origin &&
      'app and service have the same host name, so each gets the cookies of the other',
    advice: 'give the app a host name of its own',
  },
  {
    about: 'application',
    fault: ({ service, clientId, clientSecret }) =>
      service && clientId === clientSecret && 'PLIMSOLL_CLIENT_ID and the secret are the same text',
    advice: 'copy both from the settings screen of the application',
  },
  {
    about: 'secret',
    fault: ({ service, clientSecret = '' }) =>
      service &&
      /^(["'`]).*\1$|\s/.test(clientSecret) &&
      'the client secret has quotation marks around it, or white space in it',
    advice: 'store the secret alone',
  },
  {
    about: 'secret',
    fault: ({ readers }) =>
      readers.others && 'every user of this machine may read PLIMSOLL_CLIENT_SECRET_FILE',
    warning: ({ readers }) => readers.group && 'the group of PLIMSOLL_CLIENT_SECRET_FILE may read it',
    advice: 'chmod 600, with the user that runs the app as its owner',
  },
  {
    about: 'secret',
    warning: ({ service, clientSecretFile }) =>
      service &&
      clientSecretFile === undefined &&
      'the client secret is in the environment, which every child process and every dump has',
    advice: 'store it in a file, and name that in PLIMSOLL_CLIENT_SECRET_FILE',
  },
  {
    about: 'https',
    warning: ({ service }) => service?.protocol === 'http:' && 'requests to the service are not encrypted',
    advice: 'use this for a service on this machine only',
  },
  {
    about: 'cookies',
    warning: ({ publicUrl }) =>
      areRefusedBySafari(publicUrl) && 'they are Secure, and Safari stores none of this http address',
    ok: ({ isHttps }) =>
      isHttps ? 'they are Secure, and the address is https' : 'they stay on this machine, and are not Secure',
    advice: 'use http://localhost, http://127.0.0.1 or https for Safari',
  },
  {
    about: 'proxy',
    fault: ({ isHttps, trustProxy }) =>
      isHttps &&
      trustProxy === 0 &&
      'https needs a proxy before the app, and PLIMSOLL_TRUST_PROXY is 0: ' +
        'all people count as one address, and soon none can sign in',
    ok: ({ isHttps, trustProxy }) =>
      isHttps === trustProxy > 0 && (isHttps ? `${trustProxy} stand before the app` : 'none is trusted'),
    advice: 'set PLIMSOLL_TRUST_PROXY to the number of proxies',
  },
  {
    about: 'proxy',
    warning: ({ isHttps, trustProxy }) =>
      !isHttps &&
      trustProxy > 0 &&
      `PLIMSOLL_TRUST_PROXY is ${trustProxy}, and the address is http: ` +
        'without a proxy everyone may claim any address',
    advice: 'set it to 0, unless a proxy stands before the app',
  },
  {
    about: 'proxy',
    warning: ({ isHttps, trustProxy, host }) =>
      isHttps &&
      trustProxy > 0 &&
      isOpen(host) &&
      'PLIMSOLL_HOST is an address that others may reach around the proxy, with any X-Forwarded-For',
    advice: 'set it to 127.0.0.1, or let a firewall pass the proxy alone',
  },
  {
    about: 'operations',
    warning: ({ operationsHost }) =>
      isOpen(operationsHost) && 'others may reach health and metrics, which ask for no password',
    advice: 'set PLIMSOLL_OPERATIONS_HOST to 127.0.0.1, or let a firewall pass the monitoring alone',
  },
  {
    about: 'operations',
    warning: ({ operationsHost, allowedHosts }) =>
      isOpen(operationsHost) &&
      allowedHosts.length === 0 &&
      'monitoring that asks by an address or another name than the public one gets 421',
    advice: 'put these names into PLIMSOLL_ALLOWED_HOSTS',
  },
]
