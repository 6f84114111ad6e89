/** A body that is written while its connection is open, part by part. */

/** Where the parts go. */
export interface Sink {
  /** @param onTaken is called when the part has left this process; never for a connection that closed before */
  write: (part: string, onTaken: () => void) => void
  end: () => void
}

export interface PushedBody {
  /** Called once. @returns what is to be called when the connection has closed */
  writeTo: (sink: Sink) => () => void
}

export const isPushed = (body: unknown): body is PushedBody =>
  typeof body === 'object' && body !== null && 'writeTo' in body

/** The same as the fetch API has it: one part waits to be read, and those after it are not taken until then. */
export function readableOf(body: PushedBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  let [takeLast, close] = [() => {}, () => {}]
  return new ReadableStream({
    start(controller) {
      close = body.writeTo({
        write(part, onTaken) {
          controller.enqueue(encoder.encode(part))
          if ((controller.desiredSize ?? 0) >= 0) onTaken()
          else takeLast = onTaken
        },
        end: () => controller.close(),
      })
    },
    pull: () => takeLast(),
    cancel: () => close(),
  })
}
