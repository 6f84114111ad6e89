/** Examines names, ports and certificates from this machine, without a connection to the service. */
import { lookup } from 'node:dns/promises'
import { request } from 'node:http'
import { isIP } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { DAY_MS } from '../../contract/duration.ts'
import { BFF, CSRF_HEADER } from '../../contract/api.ts'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { closeServer, isInUse, type ListenAt, listen } from '../http/listener.ts'
import type { Settings } from '../settings/settings.ts'

const ANSWER_WITHIN_MS = 3000
/** Automatic renewal happens earlier than this. */
const EXPIRES_SOON_MS = 14 * DAY_MS

/** @param nowMs UNIX milliseconds */
export async function examineNetwork(settings: Settings, nowMs: number): Promise<Finding[]> {
  const { serviceUrl, httpsProxy } = settings
  // Behind a proxy only the proxy must know the name of the service.
  const [about, url] = httpsProxy === undefined ? ['service', serviceUrl] : ['proxy', httpsProxy]
  const service = url === undefined ? [] : await examineName(about, url)
  const listeners = await examineListeners(settings)
  // Only now, so that what answers is not a listener that has just tried the app's port.
  const publicAddress = await examinePublic(settings, nowMs)
  return [...service, ...listeners, ...publicAddress]
}

/** A DNS query does not reach the host. */
async function examineName(about: string, url: string): Promise<Finding[]> {
  const host = hostOf(url)
  try {
    await lookup(host)
    return []
  } catch {
    return [fault(about, `no name server knows ${host}`, 'correct the address, or the DNS of this machine')]
  }
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

/** Checks that the app is running, or that its ports are free. */
async function examineListeners(settings: Settings): Promise<Finding[]> {
  const { host, port, operationsHost, operationsPort, sandboxPort, serviceUrl } = settings
  const mayBeWithout = settings.isOperationsPortSet ? undefined : operationsPort
  const health = await askOperations(settings, '/healthz')
  if (health?.text === 'ok\n') return [await examineReadiness(settings)]
  const app = { port, host, portSetting: 'PLIMSOLL_PORT', hostSetting: 'PLIMSOLL_HOST' }
  const sandbox = {
    port: sandboxPort,
    host: '127.0.0.1',
    portSetting: 'PLIMSOLL_SANDBOX_PORT',
    hostSetting: 'PLIMSOLL_SANDBOX_PORT',
  }
  const wanted: ListenAt[] = [
    app,
    {
      port: operationsPort,
      host: operationsHost,
      portSetting: 'PLIMSOLL_OPERATIONS_PORT',
      hostSetting: 'PLIMSOLL_OPERATIONS_HOST',
    },
    ...(serviceUrl === undefined ? [sandbox, { ...sandbox, port: sandboxPort + 1 }] : []),
  ]
  const findings: Finding[] = []
  for (const at of wanted) findings.push(...(await examinePort(at, at.port === mayBeWithout)))
  return findings.length > 0 ? findings : [ok('ports', 'the app is not running, and its ports are free')]
}

/** @param isOptional whether the app also starts if the port is in use */
async function examinePort(at: ListenAt, isOptional: boolean): Promise<Finding[]> {
  try {
    await closeServer(await listen(async () => new Response(null, { status: 503 }), at))
    return []
  } catch (error) {
    const [text = '', advice = 'choose another one'] = (error as Error).message.split('. ')
    return [(isOptional && isInUse(error) ? warning : fault)('ports', text, advice)]
  }
}

async function examineReadiness(settings: Settings): Promise<Finding> {
  const ready = await askOperations(settings, '/readyz')
  if (ready?.status === 200) return ok('app', 'it is running, and ready')
  return fault('app', `it is running, and not ready: ${ready?.text.trim() ?? 'no answer'}`, 'look at its log')
}

interface Asked {
  status: number | undefined
  text: string
}

/** Names this machine, which the operations port always answers; `fetch` would name the address. */
function askOperations(
  { operationsHost: host, operationsPort: port }: Settings,
  path: string,
): Promise<Asked | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const asked = request({ host, port, path, headers: { Host: 'localhost' }, signal }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode, text }))
      answer.on('error', () => resolve(undefined))
    })
    asked.on('error', () => resolve(undefined)).end()
  })
}

/** The certificate, and the app behind it. */
async function examinePublic({ publicUrl }: Settings, nowMs: number): Promise<Finding[]> {
  const isHttps = publicUrl.startsWith('https:')
  if (isHttps) {
    const unknown = await examineName('https', publicUrl)
    if (unknown.length > 0) return unknown
    const certificate = await examineCertificate(publicUrl, nowMs)
    return certificate.level === 'fault' ? [certificate] : [certificate, ...(await examineApp(publicUrl))]
  }
  return examineApp(publicUrl)
}

async function examineCertificate(publicUrl: string, nowMs: number): Promise<Finding> {
  const connected = await handshake(publicUrl)
  if (connected === undefined)
    return warning('https', `nothing answers at ${publicUrl}`, 'start the proxy, and examine again')
  const { authorizationError, expiresAtMs } = connected
  if (authorizationError !== undefined)
    return fault(
      'https',
      `browsers will not accept the certificate of ${publicUrl}: ${authorizationError}`,
      'install one for this name from an authority that browsers know',
    )
  const days = Math.floor((expiresAtMs - nowMs) / DAY_MS)
  if (expiresAtMs - nowMs < EXPIRES_SOON_MS)
    return warning('https', `the certificate ends in ${days} days`, 'renew it')
  return ok('https', `the certificate is good for ${days} days`)
}

/** @returns `undefined` if nothing answers */
function handshake(
  publicUrl: string,
): Promise<{ authorizationError: string | undefined; expiresAtMs: number } | undefined> {
  const host = hostOf(publicUrl)
  return new Promise((resolve) => {
    const port = Number(new URL(publicUrl).port || 443)
    // The certificate is examined below, so connect whatever is wrong with it.
    const options = {
      host,
      port,
      servername: isIP(host) === 0 ? host : '',
      rejectUnauthorized: false,
      timeout: ANSWER_WITHIN_MS,
    }
    const socket: TLSSocket = connectTls(options, () => {
      const { authorized, authorizationError } = socket
      const expiresAtMs = Date.parse(socket.getPeerCertificate().valid_to)
      resolve({
        authorizationError: authorized ? undefined : String(authorizationError),
        expiresAtMs,
      })
      socket.destroy()
    })
    const fail = () => {
      socket.destroy()
      resolve(undefined)
    }
    socket.once('error', fail).once('timeout', fail)
  })
}

/** Asks the app itself, through the proxy if there is one. Without a session this costs nothing. */
async function examineApp(publicUrl: string): Promise<Finding[]> {
  const answer = await ask(publicUrl + BFF.session, { [CSRF_HEADER]: '1', 'Sec-Fetch-Site': 'same-origin' })
  if (answer === undefined) return []
  const redirectUri = /"redirect_uri":"([^"]*)"/.exec(answer.text)?.[1]
  if (redirectUri === publicUrl + CALLBACK_PATH)
    return [ok('public URL', `the app answers at ${publicUrl}, with this redirect URI`)]
  if (redirectUri !== undefined)
    return [
      fault(
        'public URL',
        `the app that answers at ${publicUrl} has the redirect URI ${redirectUri}`,
        'start it with the settings that are examined here',
      ),
    ]
  return [
    fault(
      'public URL',
      `what answers at ${publicUrl} is not this app, or a proxy changes it (status ${answer.status})`,
      'let the proxy pass every path and header as it is',
    ),
  ]
}

/** @returns `undefined` if no answer comes in time */
async function ask(url: string, headers: Record<string, string> = {}): Promise<Asked | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await fetch(url, { headers, redirect: 'manual', signal })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return undefined
  }
}
