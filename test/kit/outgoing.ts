import type { Outgoing, Upstream } from '../../src/bff/core/context.ts'

async function requestOf(outgoing: Outgoing): Promise<Request> {
  const { method, url, headers } = outgoing
  const body = await outgoing.text()
  const all = [...headers].map(([name, value]): [string, string] => [name, value])
  return new Request(url, { method, headers: all, redirect: 'manual', ...(body !== '' && { body }) })
}

/** The stand-in for the service, with the objects of the fetch API. */
export type FetchUpstream = (request: Request, deadlineMs?: number) => Promise<Response>

export const upstreamOf =
  (send: FetchUpstream): Upstream =>
  async (outgoing, deadlineMs) =>
    send(await requestOf(outgoing), deadlineMs)
