/** Reads a stream of server-sent events as a browser does (HTML 9.2.6). */
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { search } from './canaries.ts'

export interface Received {
  event: string
  data: QuotaSnapshot & { signed_in?: boolean }
}

export interface EventReader {
  received: Received[]
  /** The whole text, with comments and `retry`. */
  text: () => string
  isClosed: () => boolean
  /** Closes the connection, as a browser does. */
  leave: () => Promise<void>
}

/** @param onEvent is called with each event as it arrives */
export function readEvents(
  body: ReadableStream<Uint8Array> | null,
  onEvent?: (event: Received) => void,
): EventReader {
  if (body === null) throw new Error('the answer has no body')
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const received: Received[] = []
  let [text, rest, isClosed] = ['', '', false]
  const take = (chunk: string): void => {
    text += chunk
    search('event', chunk)
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const data = field('data')
      if (data === undefined) continue
      const event = { event: field('event') ?? 'message', data: JSON.parse(data) }
      received.push(event)
      onEvent?.(event)
    }
  }
  const pump = async (): Promise<void> => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      take(decoder.decode(part.value, { stream: true }))
  }
  void pump()
    .catch(() => {})
    .finally(() => {
      isClosed = true
    })
  return { received, text: () => text, isClosed: () => isClosed, leave: () => reader.cancel() }
}
