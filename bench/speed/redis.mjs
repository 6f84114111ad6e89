// Redis for the time of a benchmark, on the core of the load.
import { freePort, LOAD, start } from './process.mjs'

/** Starts a server. @param folder of its file, which is on the disk once a second; absent: it has none */
export async function startRedis(folder) {
  const port = await freePort()
  const file =
    folder === undefined ? '--appendonly no' : `--appendonly yes --appendfsync everysec --dir ${folder}`
  const options = `--port ${port} --bind 127.0.0.1 ${file}`
  const running = await start(LOAD, ['redis-server', ...options.split(' '), '--save', ''])
  return { ...running, url: `redis://127.0.0.1:${port}` }
}
