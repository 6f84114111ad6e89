/** Refuses requests for a foreign host. A page whose name was resolved to us sends them (DNS rebinding). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Host, hostNameOf, isLoopbackName, parseHost } from '../../contract/host.ts'

export interface Hosts {
  /** @param localAddress that of this machine to which the connection was made */
  allows: (host: Host, localAddress?: string) => boolean
  onRefused?: () => void
  /** What its operator sets to allow further names. */
  setting?: string
}

/** Also allows the names of this machine. Each is allowed with any port: what is foreign is the name. */
export function allowHosts(addresses: readonly string[]): Hosts['allows'] {
  const known = new Set(addresses.map(hostNameOf))
  return ({ name }) => isLoopbackName(name) || known.has(name)
}

/** The host in an absolute address, which replaces that of the header (RFC 9112 3.2.2). */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i

/**
 * Several headers are joined by commas, and so are no host. A request without a host is of no browser, and
 * HTTP/1.0 allows it.
 * @returns 400 for what is no host (RFC 9112 3.2), 421 for a foreign one (RFC 9110 15.5.20)
 */
export function createHostCheck({ allows }: Hosts): (incoming: IncomingMessage) => 400 | 421 | undefined {
  return ({ url = '', headers: { host: named }, socket }) => {
    for (const text of [AUTHORITY.exec(url)?.[1], named]) {
      if (text === undefined) continue
      const host = parseHost(text)
      if (host === undefined) return 400
      if (!allows(host, socket.localAddress)) return 421
    }
    return undefined
  }
}

export function refuseHost(outgoing: ServerResponse, status: 400 | 421, { setting }: Pick<Hosts, 'setting'>) {
  const body =
    status === 400
      ? 'The request names no host, or several.\n'
      : 'This server is not set up for the host name of the request. ' +
        `Its operator can allow it with ${setting ?? 'PLIMSOLL_ALLOWED_HOSTS'}.\n`
  outgoing
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(body)
}
