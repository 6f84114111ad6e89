/** What can be wrong with a deployment whose settings can be read. Nothing is sent to the service. */
import { lookup } from 'node:dns/promises'
import { statSync } from 'node:fs'
import { BFF, CSRF_HEADER } from '../../contract/api.ts'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { hostNameOf, isLoopbackName } from '../../contract/host.ts'
import type { Settings } from '../settings/settings.ts'
import { MEMORY, QUIETLY, readStore } from './store.ts'

interface Check {
  /** A fault, the default, stops people from signing in, or loses data. A warning may be intended. */
  level?: 'warning' | 'fault'
  /** The subject, in one or two words. */
  about: string
  /** Says what is wrong, if it is. */
  test: (facts: Facts) => string | false | undefined
  /** The next step for the operator. */
  advice: string
}

const ANSWER_WITHIN_MS = 3000

type Facts = Awaited<ReturnType<typeof gatherFacts>>

export async function gatherFacts(settings: Settings) {
  const { publicUrl, serviceUrl, httpsProxy, noProxy, clientSecretFile, store } = settings
  const app = new URL(publicUrl)
  const service = serviceUrl === undefined ? undefined : new URL(serviceUrl)
  // Behind a proxy only the proxy must know the name of the service.
  const asked = service && httpsProxy && !isDirect(service, noProxy) ? new URL(httpsProxy) : service
  const stored = await readStore(store)
  const files = [clientSecretFile, stored.file].filter((file) => file !== undefined)
  return {
    ...settings,
    app,
    isHttps: app.protocol === 'https:',
    service,
    unknownHost: asked && (await unknownOf(asked.hostname)),
    openFiles: files.filter((file) => ((statSync(file, QUIETLY)?.mode ?? 0) & FOR_ALL) !== 0),
    answer: await askApp(publicUrl),
    stored,
  }
}

/** Windows has no such rights. */
const FOR_ALL = process.platform === 'win32' ? 0 : 0o007

/** As undici decides it: a name of NO_PROXY stands for those below it too, and may have a port. */
const isDirect = ({ protocol, hostname, port }: URL, noProxy = ''): boolean =>
  protocol !== 'https:' ||
  noProxy === '*' ||
  noProxy.split(/[,\s]/).some((entry) => {
    const [, name = '', only] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    return name !== '' && [undefined, port || '443'].includes(only) && `.${hostname}`.endsWith(`.${name}`)
  })

/** A DNS query does not reach the host. */
const unknownOf = (host: string): Promise<string | undefined> =>
  lookup(host.replaceAll(/[[\]]/g, '')).then(
    () => undefined,
    () => host,
  )

/** Through the proxy if there is one. Without a session this costs nothing. */
async function askApp(publicUrl: string): Promise<{ said: string; redirectUri?: string | undefined }> {
  const headers = { [CSRF_HEADER]: '1', 'Sec-Fetch-Site': 'same-origin' }
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  try {
    const answer = await fetch(publicUrl + BFF.session, { headers, redirect: 'manual', signal })
    const redirectUri = /"redirect_uri":"([^"]*)"/.exec(await answer.text())?.[1]
    return { said: `status ${answer.status}`, redirectUri }
  } catch (error) {
    const { cause, name } = error as Error & { cause?: { code?: string } }
    return { said: cause?.code ?? name }
  }
}

const NOT_RUNNING = 'ECONNREFUSED'
const isOpen = (host: string): boolean => !isLoopbackName(hostNameOf(host) ?? '')

export const CHECKS: readonly Check[] = [
  {
    about: 'redirect URI',
    test: ({ isHttps, trustProxy, app, port }) =>
      !isHttps &&
      trustProxy === 0 &&
      Number(app.port || 80) !== port &&
      `people come back from the service to port ${app.port || 80}, and the app listens on ${port}`,
    advice: 'set PLIMSOLL_PUBLIC_URL to the address that people open, or leave it out',
  },
  {
    level: 'warning',
    about: 'service',
    test: ({ service, app }) =>
      service?.hostname === app.hostname &&
      'app and service have the same host name, so each gets the cookies of the other',
    advice: 'give the app a host name of its own',
  },
  {
    about: 'service',
    test: ({ unknownHost }) => unknownHost && `no name server knows ${unknownHost}`,
    advice: 'correct PLIMSOLL_SERVICE_URL or HTTPS_PROXY, or the DNS of this machine',
  },
  {
    about: 'secret',
    test: ({ service, clientId, clientSecret = '' }) =>
      service &&
      (clientSecret === clientId || /^(["'`]).*\1$|\s/.test(clientSecret)) &&
      'it is the client id, or has quotation marks around it, or white space in it',
    advice: 'copy it alone from the settings screen of the application',
  },
  {
    level: 'warning',
    about: 'secret',
    test: ({ service, clientSecretFile }) =>
      service &&
      clientSecretFile === undefined &&
      'it is in the environment, which every child process and every dump has',
    advice: 'store it in a file, and name that in PLIMSOLL_CLIENT_SECRET_FILE',
  },
  {
    about: 'files',
    test: ({ openFiles }) =>
      openFiles.length > 0 && `every user of this machine may read ${openFiles.join(' and ')}`,
    advice: 'chmod 600, with the user that runs the app as the owner',
  },
  {
    about: 'proxy',
    test: ({ isHttps, trustProxy }) =>
      isHttps &&
      trustProxy === 0 &&
      'https needs one before the app, and PLIMSOLL_TRUST_PROXY is 0: ' +
        'all people count as one address, and soon none can sign in',
    advice: 'set PLIMSOLL_TRUST_PROXY to the number of proxies',
  },
  {
    level: 'warning',
    about: 'proxy',
    test: ({ isHttps, trustProxy, host }) =>
      trustProxy > 0 &&
      (!isHttps || isOpen(host)) &&
      `PLIMSOLL_TRUST_PROXY is ${trustProxy}: whoever gets around the proxy may claim any address`,
    advice: 'set PLIMSOLL_HOST to 127.0.0.1; without a proxy, set PLIMSOLL_TRUST_PROXY to 0',
  },
  {
    level: 'warning',
    about: 'operations',
    test: ({ operationsHost }) =>
      isOpen(operationsHost) && 'others may reach health and metrics, which ask for no password',
    advice: 'set PLIMSOLL_OPERATIONS_HOST to 127.0.0.1, or let a firewall pass the monitoring alone',
  },
  {
    about: 'store',
    test: ({ service, store }) =>
      service &&
      store.kind === 'sqlite' &&
      store.path === MEMORY &&
      'it is in memory: a stop forgets every session and what the month has used',
    advice: 'set PLIMSOLL_STORE to sqlite:<file>',
  },
  {
    about: 'store',
    test: ({ stored }) => stored.problem,
    advice: 'compare PLIMSOLL_STORE with docs/deploy.md',
  },
  {
    level: 'warning',
    about: 'store',
    test: ({ stored }) => stored.notice,
    advice: 'docs/deploy.md says what a store needs, so that nothing is lost',
  },
  {
    level: 'warning',
    about: 'public URL',
    test: ({ answer, publicUrl }) => answer.said === NOT_RUNNING && `nothing answers at ${publicUrl}`,
    advice: 'start the app, and the proxy if there is one, and examine again',
  },
  {
    about: 'public URL',
    test: ({ answer: { said, redirectUri }, publicUrl }) =>
      said !== NOT_RUNNING &&
      redirectUri !== publicUrl + CALLBACK_PATH &&
      `${publicUrl} does not lead to this app (${redirectUri ?? said})`,
    advice: 'compare name, certificate and proxy with docs/deploy.md, and the settings with those of the app',
  },
]
