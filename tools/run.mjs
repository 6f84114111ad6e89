/**
 * Runs a file of JavaScript in this process: `run.mjs [NAME=value]... file [argument]...`. npm starts each
 * script in a shell, and a shell that npm ends passes no signal on. So this watches the shell, and stops the
 * program when the shell has ended. Windows has no `exec`, which would do the same.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assertNode } from './build/node-version.mjs'

assertNode()

const LOOK_EVERY_MS = 100
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

const shell = process.ppid
let isStopping = false

/** Runs before the program's own handlers. Without any, the signal ends the process as it would have. */
function onSignal(signal) {
  for (const one of SIGNALS) process.removeListener(one, onSignal)
  isStopping = true
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
}

/** Windows keeps the id of a parent that has ended. */
function isShellRunning() {
  if (process.ppid !== shell) return false
  try {
    process.kill(shell, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

function watchShell() {
  const watching = setInterval(() => {
    if (isShellRunning()) return
    clearInterval(watching)
    // A terminal sends its signal to the program too, and a second one would end it at once.
    if (!isStopping) process.emit('SIGTERM', 'SIGTERM')
  }, LOOK_EVERY_MS).unref()
}

const given = process.argv.slice(2)
const at = given.findIndex((argument) => !/^\w+=/.test(argument))
for (const setting of given.slice(0, at)) {
  const [name, ...value] = setting.split('=')
  process.env[name] = value.join('=')
}
const [file = '', ...rest] = given.slice(at)
const path = resolve(file)
process.argv = [process.execPath, path, ...rest]
for (const signal of SIGNALS) process.on(signal, onSignal)
watchShell()
try {
  await import(pathToFileURL(path).href)
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error(`${error.message}: run \`npm ci --include=dev\`, also where NODE_ENV is production.`)
  process.exitCode = 1
}
