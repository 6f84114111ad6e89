// Redis for the time of a benchmark, on the core of the load.
import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, LOAD, start } from './process.mjs'

async function isOpen(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** @param folder of its file, which is on the disk once a second; absent: it has none */
export async function startRedis(folder) {
  const port = await freePort()
  const file =
    folder === undefined ? '--appendonly no' : `--appendonly yes --appendfsync everysec --dir ${folder}`
  const options = `--port ${port} --bind 127.0.0.1 ${file}`
  const running = await start(LOAD, ['redis-server', ...options.split(' '), '--save', ''])
  for (let tries = 0; tries < 100 && !(await isOpen(port)); tries += 1) await wait(50)
  return { ...running, url: `redis://127.0.0.1:${port}` }
}
