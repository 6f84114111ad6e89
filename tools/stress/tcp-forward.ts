/** Forwards connections to another port of this machine, so that a suite can have them refused. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Forward {
  url: string
  refuse: () => Promise<void>
  accept: () => Promise<void>
  to: (target: string) => void
  close: () => Promise<void>
}

/**
 * @param target of the form `http://127.0.0.1:4000`
 * @param join passes on what the two sockets of a connection send
 */
export async function openForward(target: string, join = pipeBoth): Promise<Forward> {
  const sockets = new Set<Socket>()
  let [port, goal] = [0, target]
  // With Nagle's algorithm each statement of a transaction would wait 40 ms for an acknowledgement.
  const server = createServer({ noDelay: true }, (incoming) => {
    const outgoing = connect({ host: '127.0.0.1', port: Number(new URL(goal).port), noDelay: true })
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    join(incoming, outgoing)
  })
  const accept = async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const refuse = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await accept()
  return {
    url: `http://127.0.0.1:${port}`,
    refuse,
    accept,
    to: (next) => {
      goal = next
    },
    close: async () => {
      if (server.listening) await refuse()
    },
  }
}

function pipeBoth(incoming: Socket, outgoing: Socket): void {
  incoming.pipe(outgoing).pipe(incoming)
}
