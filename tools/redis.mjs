// Starts a Redis that loses nothing, with its data in `data/redis`; `npm run redis` runs it.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { constants } from 'node:os'

const FOLDER = 'data/redis'
const OPTIONS = { bind: '127.0.0.1', dir: FOLDER, appendonly: 'yes', appendfsync: 'always', save: '' }

mkdirSync(FOLDER, { recursive: true })
const flags = Object.entries(OPTIONS).flatMap(([name, value]) => [`--${name}`, value])
const redis = spawn('redis-server', [...flags, ...process.argv.slice(2)], { stdio: 'inherit' })
// Redis ends at a second SIGINT without saving, and a terminal has sent it the first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => redis.kill('SIGTERM'))
redis.once('error', ({ message }) => {
  console.error(`redis-server cannot be started: ${message}`)
  process.exitCode = 1
})
redis.once('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal]
})
