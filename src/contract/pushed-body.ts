/** A body that is written part by part while its connection is open. */

export interface Sink {
  /** @param onTaken is called when the part has left this process; never if the connection closes first */
  write: (part: string, onTaken: () => void) => void
  end: () => void
}

export interface PushedBody {
  /** Called once. @returns a function to call when the connection has closed */
  writeTo: (sink: Sink) => () => void
}

export const isPushed = (body: unknown): body is PushedBody =>
  typeof body === 'object' && body !== null && 'writeTo' in body

/** A stream of the fetch API. One part waits to be read; until then it takes no later one. */
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
