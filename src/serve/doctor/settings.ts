/** Examines readable settings that may not fit each other, the service or the proxy. */
import { statSync } from 'node:fs'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { areRefusedBySafari } from '../../contract/cookie-name.ts'
import { type Finding, fault, ok, warning, when } from './finding.ts'
import { isLoopback } from '../settings/values.ts'
import type { Settings } from '../settings/settings.ts'

/** Permissions of the group, and of all others, in the mode of a file (chmod(2)). */
const GROUP = 0o070
const OTHERS = 0o007

/** @param secretFile the file from which the client secret was read */
export function examineSettings(settings: Settings, secretFile?: string): Finding[] {
  return [
    ok('settings', 'all of them can be read'),
    ...redirectUri(settings),
    ...application(settings),
    ...secret(settings, secretFile),
    ...encryption(settings),
    ...cookies(settings),
    ...proxy(settings),
    ...listeners(settings),
  ]
}

function redirectUri({ publicUrl, serviceUrl, port, trustProxy }: Settings): Finding[] {
  const { port: named, protocol } = new URL(publicUrl)
  const publicPort = Number(named || (protocol === 'https:' ? 443 : 80))
  const isDirect = protocol === 'http:' && trustProxy === 0
  return [
    ok('redirect URI', `register ${publicUrl}${CALLBACK_PATH} at the service, letter by letter`),
    ...when(
      isDirect && publicPort !== port,
      fault(
        'redirect URI',
        `people come back from the service to port ${publicPort}, and the app listens on ${port}`,
        'set PLIMSOLL_PUBLIC_URL to the address that people open, or leave it out',
      ),
    ),
    ...when(
      serviceUrl !== undefined && isLoopback(publicUrl),
      warning(
        'redirect URI',
        `only this machine can open ${publicUrl}`,
        'set PLIMSOLL_PUBLIC_URL to an https address for other people',
      ),
    ),
  ]
}

function application({ serviceUrl, publicUrl, clientId, clientSecret }: Settings): Finding[] {
  if (serviceUrl === undefined)
    return [
      warning(
        'service',
        'it is the sandbox: nothing is real',
        'set PLIMSOLL_SERVICE_URL to use the real service',
      ),
    ]
  const [service, app] = [new URL(serviceUrl), new URL(publicUrl)]
  return [
    ok('service', `people sign in at ${serviceUrl}`),
    ...when(
      service.origin === app.origin,
      fault(
        'service',
        'PLIMSOLL_SERVICE_URL and PLIMSOLL_PUBLIC_URL have the same origin',
        'give the app an address of its own',
      ),
    ),
    ...when(
      service.origin !== app.origin && service.hostname === app.hostname,
      warning(
        'service',
        'app and service have the same host name, so each gets the cookies of the other',
        'give the app a host name of its own',
      ),
    ),
    ...when(
      clientId !== undefined && clientId === clientSecret,
      fault(
        'application',
        'PLIMSOLL_CLIENT_ID and the secret are the same text',
        'copy both from the settings screen of the application',
      ),
    ),
  ]
}

function secret({ serviceUrl, clientSecret = '' }: Settings, secretFile: string | undefined): Finding[] {
  if (serviceUrl === undefined) return []
  const mode = secretFile === undefined || process.platform === 'win32' ? 0 : statSync(secretFile).mode
  return [
    ...when(
      /^(["'`]).*\1$|\s/.test(clientSecret),
      fault(
        'secret',
        'the client secret has quotation marks around it, or white space in it',
        'store the secret alone',
      ),
    ),
    ...when(
      (mode & OTHERS) !== 0,
      fault(
        'secret',
        'every user of this machine may read PLIMSOLL_CLIENT_SECRET_FILE',
        'chmod 600, with the user that runs the app as its owner',
      ),
    ),
    ...when(
      (mode & OTHERS) === 0 && (mode & GROUP) !== 0,
      warning('secret', 'the group of PLIMSOLL_CLIENT_SECRET_FILE may read it', 'chmod 600'),
    ),
    ...when(
      secretFile === undefined,
      warning(
        'secret',
        'the client secret is in the environment, which every child process and every dump has',
        'store it in a file, and name that in PLIMSOLL_CLIENT_SECRET_FILE',
      ),
    ),
  ]
}

function encryption({ serviceUrl }: Settings): Finding[] {
  return when(
    serviceUrl?.startsWith('http:') === true,
    warning(
      'https',
      'requests to the service are not encrypted',
      'use this for a service on this machine only',
    ),
  )
}

function cookies({ publicUrl }: Settings): Finding[] {
  if (publicUrl.startsWith('https:')) return [ok('cookies', 'they are Secure, and the address is https')]
  if (!areRefusedBySafari(publicUrl)) return [ok('cookies', 'they stay on this machine, and are not Secure')]
  return [
    warning(
      'cookies',
      'they are Secure, and Safari stores none of this http address',
      'use http://localhost, http://127.0.0.1 or https for Safari',
    ),
  ]
}

function proxy({ publicUrl, trustProxy, host }: Settings): Finding[] {
  const isBehindProxy = publicUrl.startsWith('https:')
  if (isBehindProxy && trustProxy === 0)
    return [
      fault(
        'proxy',
        'https needs a proxy before the app, and PLIMSOLL_TRUST_PROXY is 0: ' +
          'all people count as one address, and soon none can sign in',
        'set PLIMSOLL_TRUST_PROXY to the number of proxies',
      ),
    ]
  if (!isBehindProxy && trustProxy > 0)
    return [
      warning(
        'proxy',
        `PLIMSOLL_TRUST_PROXY is ${trustProxy}, and the address is http: ` +
          'without a proxy everyone may claim any address',
        'set it to 0, unless a proxy stands before the app',
      ),
    ]
  return [
    ok('proxy', trustProxy === 0 ? 'none is trusted' : `${trustProxy} stand before the app`),
    ...when(
      trustProxy > 0 && !isLoopback(`http://${hostInUrl(host)}`),
      warning(
        'proxy',
        'PLIMSOLL_HOST is an address that others may reach around the proxy, with any X-Forwarded-For',
        'set it to 127.0.0.1, or let a firewall pass the proxy alone',
      ),
    ),
  ]
}

function listeners({ operationsHost, allowedHosts }: Settings): Finding[] {
  const isOpen = !isLoopback(`http://${hostInUrl(operationsHost)}`)
  return [
    ...when(
      isOpen,
      warning(
        'operations',
        'others may reach health and metrics, which ask for no password',
        'set PLIMSOLL_OPERATIONS_HOST to 127.0.0.1, or let a firewall pass the monitoring alone',
      ),
    ),
    ...when(
      isOpen && allowedHosts.length === 0,
      warning(
        'operations',
        'monitoring that asks by an address or another name than the public one gets 421',
        'put these names into PLIMSOLL_ALLOWED_HOSTS',
      ),
    ),
  ]
}

export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)
