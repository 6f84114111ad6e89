/** Examines names, ports and certificates from this machine, without a connection to the service. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { isIP } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
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
  const at = (port: number, host: string, name: string, hostName = name): ListenAt => ({
    port,
    host,
    portSetting: `PLIMSOLL_${name}PORT`,
    hostSetting: `PLIMSOLL_${hostName}HOST`,
  })
  const wanted = [at(port, host, ''), at(operationsPort, operationsHost, 'OPERATIONS_')]
  if (serviceUrl === undefined)
    for (const sandbox of [sandboxPort, sandboxPort + 1])
      wanted.push(at(sandbox, '127.0.0.1', 'SANDBOX_', ''))
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
async function askOperations(
  { operationsHost: host, operationsPort: port }: Settings,
  path: string,
): Promise<Asked | undefined> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const asked = request({ host, port, path, headers: { Host: 'localhost' }, signal })
  try {
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage]
    return { status: answer.statusCode, text: await text(answer) }
  } catch {
    return undefined
  }
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
  const connected = await handshake(publicUrl, nowMs)
  if (connected === undefined)
    return warning('https', `nothing answers at ${publicUrl}`, 'start the proxy, and examine again')
  const { error, endsInMs } = connected
  if (error !== undefined)
    return fault(
      'https',
      `browsers will not accept the certificate of ${publicUrl}: ${error}`,
      'install one for this name from an authority that browsers know',
    )
  const days = Math.floor(endsInMs / DAY_MS)
  if (endsInMs < EXPIRES_SOON_MS) return warning('https', `the certificate ends in ${days} days`, 'renew it')
  return ok('https', `the certificate is good for ${days} days`)
}

interface Certificate {
  error: string | undefined
  endsInMs: number
}

/** Connects whatever is wrong with the certificate. @returns `undefined` if nothing answers */
async function handshake(publicUrl: string, nowMs: number): Promise<Certificate | undefined> {
  const host = hostOf(publicUrl)
  const port = Number(new URL(publicUrl).port || 443)
  const servername = isIP(host) === 0 ? host : ''
  const socket = connectTls({ host, port, servername, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    const { authorized, authorizationError } = socket
    const endsInMs = Date.parse(socket.getPeerCertificate().valid_to) - nowMs
    return { error: authorized ? undefined : String(authorizationError), endsInMs }
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

/** Asks the app itself, through the proxy if there is one. Without a session this costs nothing. */
async function examineApp(publicUrl: string): Promise<Finding[]> {
  const headers = { [CSRF_HEADER]: '1', 'Sec-Fetch-Site': 'same-origin' }
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  try {
    const answer = await fetch(publicUrl + BFF.session, { headers, redirect: 'manual', signal })
    return [answered(publicUrl, answer.status, await answer.text())]
  } catch {
    return []
  }
}

function answered(publicUrl: string, status: number, body: string): Finding {
  const redirectUri = /"redirect_uri":"([^"]*)"/.exec(body)?.[1]
  if (redirectUri === publicUrl + CALLBACK_PATH)
    return ok('public URL', `the app answers at ${publicUrl}, with this redirect URI`)
  if (redirectUri !== undefined)
    return fault(
      'public URL',
      `the app that answers at ${publicUrl} has the redirect URI ${redirectUri}`,
      'start it with the settings that are examined here',
    )
  return fault(
    'public URL',
    `what answers at ${publicUrl} is not this app, or a proxy changes it (status ${status})`,
    'let the proxy pass every path and header as it is',
  )
}
