// Processes that are compared, each on one core: started, measured and stopped.
import { spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { devNull } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

export const MEASURED = 0
export const LOAD = 1

const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

/** Free a moment ago. */
export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Starts a program on one core, with its output in a file. @param url answers as soon as it is open */
export async function start(core, [program, ...args], { url, env = {}, log = devNull, cwd } = {}) {
  const output = openSync(log, 'a')
  const child = spawn('taskset', ['-c', String(core), program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, output],
    cwd,
  })
  children.add(child)
  const ended = new Promise((resolve) => {
    child.once('close', () => {
      children.delete(child)
      resolve()
    })
  })
  if (url !== undefined && !(await isOpenSoon(url, child))) {
    child.kill('SIGKILL')
    throw new Error(`${program} did not start; its output is in ${log}`)
  }
  return {
    pid: child.pid,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await ended
    },
  }
}

async function isOpenSoon(url, child) {
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    if (await isOpen(url)) return true
    await wait(100)
  }
  return false
}

const isOpen = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** Ticks of the scheduler in a second, on every Linux that Node runs on. */
const TICKS = 100

/** Seconds that a process and its threads have used of a core (proc(5)). */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

export function residentMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kilobytes) / 1024
}
