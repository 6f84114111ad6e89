// Replaces systemd where `npm run deploy` does not run: starts the command of a unit file with its settings,
// and again when it ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Machine } from './machine.ts'
import { until } from './until.ts'

const STOP_MS = 15_000
const RESTART_MS = 1000

interface Unit {
  child: ChildProcess
  isWanted: boolean
  output: string
}

export class Units {
  readonly #machine: Machine
  readonly #units = new Map<string, Unit>()

  constructor(machine: Machine) {
    this.#machine = machine
  }

  output(name: string): string {
    return this.#units.get(name)?.output ?? ''
  }

  async close(): Promise<void> {
    for (const name of [...this.#units.keys()].toReversed()) await this.#stop(name)
  }

  /** @param words of a command line of systemctl */
  async obey(words: readonly string[]): Promise<void> {
    const [verb = '', ...names] = words.filter((word) => word !== '--now')
    if (verb === 'daemon-reload') return
    for (const name of names) {
      if (name.endsWith('.socket')) continue
      if (verb === 'reload' && this.#isRunning(name)) this.#units.get(name)?.child.kill('SIGHUP')
      else if (['start', 'enable', 'reload'].includes(verb)) this.#start(name)
      else if (['stop', 'disable'].includes(verb)) await this.#stop(name)
      else throw new Error(`systemctl ${verb} is not known here`)
      // It writes its id when it listens; `nginx -t` leaves the file empty.
      if (name === 'nginx') await until(() => readFileSync(this.#machine.at('nginx.pid'), 'utf8') !== '')
    }
  }

  #isRunning(name: string): boolean {
    const child = this.#units.get(name)?.child
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  #start(name: string): void {
    if (this.#isRunning(name)) return
    const { command, ...options } = startOf(this.#machine, name)
    const [file = '', ...args] = command
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const unit: Unit = { child, isWanted: true, output: this.output(name) }
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (unit.output += text))
    child.once('error', (error) => (unit.output += error.message))
    child.once('exit', () => setTimeout(() => unit.isWanted && this.#start(name), RESTART_MS).unref())
    this.#units.set(name, unit)
  }

  /** @throws Error if it does not end in time */
  async #stop(name: string): Promise<void> {
    const unit = this.#units.get(name)
    if (unit === undefined) return
    unit.isWanted = false
    if (!this.#isRunning(name)) return
    unit.child.kill('SIGTERM')
    const late = setTimeout(() => unit.child.kill('SIGKILL'), STOP_MS)
    const [, signal] = await once(unit.child, 'exit')
    clearTimeout(late)
    if (signal === 'SIGKILL') throw new Error(`${name} did not end within ${STOP_MS} ms`)
  }
}

/** The command of a unit, and the options of `spawn`. */
function startOf(machine: Machine, name: string) {
  const { at, env, folder: cwd } = machine
  if (name === 'nginx') return { command: [at('bin/nginx'), '-g', 'daemon off;'], cwd, env }
  const [template = '', instance = ''] = name.split('@')
  return readUnit(machine, template, instance)
}

/** Reads the relevant parts of a unit file (systemd.exec(5)). */
function readUnit({ at }: Machine, template: string, instance: string) {
  const credentials = at(`run/${template}@${instance}`)
  const text = readFileSync(at(`etc/systemd/system/${template}@.service`), 'utf8')
    .replaceAll('%i', instance)
    .replaceAll('%d', credentials)
  const all = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value ?? '')
  mkdirSync(credentials, { recursive: true, mode: 0o700 })
  for (const line of all('LoadCredential')) {
    const [id = '', path = ''] = line.split(':')
    writeFileSync(`${credentials}/${id}`, readFileSync(path), { mode: 0o400 })
  }
  for (const name of all('StateDirectory')) mkdirSync(at(`var/lib/${name}`), { recursive: true, mode: 0o700 })
  // Files override the values in the unit itself.
  const lines = all('EnvironmentFile').flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  const pairs = [...all('Environment'), ...lines].map((line) => /^(\w+)=(.*)/.exec(line) ?? ['', '', ''])
  const env = { PATH: process.env.PATH, ...Object.fromEntries(pairs.map(([, name, value]) => [name, value])) }
  return { command: (all('ExecStart')[0] ?? '').split(' '), cwd: all('WorkingDirectory')[0] ?? '', env }
}
