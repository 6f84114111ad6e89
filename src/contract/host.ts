/** Host names in a request. A foreign one may be a name that an attacker resolves to us (DNS rebinding). */

export interface Host {
  /** In small letters, without a dot at its end; an IPv6 address in brackets, in its shortest form. */
  name: string
  /** Absent: that of the scheme. */
  port?: string | undefined
}

const HOST = /^(\[[\d.:a-f]+\]|[\w-]+(?:\.[\w-]+)*\.?)(?::(\d{1,5}))?$/

/** `undefined` if the text is no `uri-host [":" port]` (RFC 9110 7.2) of letters, digits, `-` and `_`. */
export function parseHost(text: string): Host | undefined {
  const [, written, port] = HOST.exec(text.toLowerCase()) ?? []
  const name = written?.startsWith('[') ? shortest(written) : written?.replace(/\.$/, '')
  return name === undefined ? undefined : { name, port }
}

const shortest = (address: string): string | undefined =>
  URL.canParse(`http://${address}`) ? new URL(`http://${address}`).hostname : undefined

/** Names of this machine, which no attacker can resolve to another one. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)

/** The name for a name or address without a port; an IPv6 address may lack its brackets. */
export function hostNameOf(address: string): string | undefined {
  const host = parseHost(address) ?? parseHost(`[${address}]`)
  return host?.port === undefined ? host?.name : undefined
}
