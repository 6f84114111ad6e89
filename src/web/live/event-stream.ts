/** Reads server-sent events (HTML 9.2) from the body of an answer. */

export interface ServerEvent {
  name: string
  data: string
}

/** Like a browser, drops an event that is cut off. @param onBytes runs for each chunk, also of comments */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerEvent) => void,
  onBytes: () => void,
): Promise<void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseEvent(block)
      if (event.data !== '') onEvent(event)
    }
  }
}

/** Our own server ends lines with a single line feed. */
function parseEvent(block: string): ServerEvent {
  const fields = block.split('\n').map((line) => /^([^:]*): ?(.*)$/.exec(line) ?? [])
  const valuesOf = (name: string) => fields.filter((field) => field[1] === name).map((field) => field[2])
  return { name: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') }
}
