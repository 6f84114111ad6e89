// What a measurement opens is ended after it, also when it fails or is stopped.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const KIT = fileURLToPath(new URL('_kit.ts', import.meta.url))
export const kit = (await runnerImport(KIT, { configFile: false, logLevel: 'error' })).module
// vite has set it to development, which a build that is started here would follow.
delete process.env.NODE_ENV

export async function measure(work) {
  let stopped
  const stop = () => (stopped ??= kit.endAll().finally(() => process.exit(1)))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop())
  console.log(`Load of the machine: ${loadavg()[0].toFixed(2)} on ${cpus().length} cores`)
  try {
    await work()
  } catch (error) {
    // A stop ends what the work still uses.
    if (stopped === undefined) throw error
  } finally {
    await (stopped ?? kit.endAll())
  }
}

/** One core runs the server that is measured, the other one everything else. */
export const [SERVER_CORE, LOAD_CORE] = [0, 1]

/** Keeps a process, its threads and what it starts later on one core. */
export const pin = (pid, core) =>
  execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })

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
