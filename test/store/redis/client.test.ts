import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { reach } from '../../../src/store/redis/client.ts'

let server: Server
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

/** Starts a server that answers each command with the result of `answer`. */
async function serve(answer: (command: string) => string): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    socket.on('data', (data) => {
      // Each command comes as an array of texts, each after its length.
      for (const command of data
        .toString()
        .split(/\*\d+\r\n/)
        .slice(1))
        socket.write(`${answer(command.replaceAll(/\$\d+\r\n/g, '').replaceAll('\r\n', ' '))}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('nodes that name each other are left after five hops, and no connection to them stays', async () => {
  const commands: string[] = []
  const asked = () => commands.filter((command) => command.startsWith('EXISTS')).length
  const url = await serve((command) => {
    commands.push(command)
    if (command.startsWith('HELLO')) return '%0'
    if (!command.startsWith('EXISTS')) return '+OK'
    return asked() > 9 ? ':0' : `-MOVED 7 ${new URL(url).host}`
  })
  await expect(reach(url, () => {})).rejects.toThrow(
    `its nodes redirect to each other for {plimsoll}:meta, last to ${new URL(url).host}`,
  )
  expect(asked()).toBe(6)
  await expect.poll(() => sockets.size).toBe(0)
  // The client sends no commands that only servers of one vendor know.
  expect(commands.join()).not.toContain('MAINT_NOTIFICATIONS')
})
