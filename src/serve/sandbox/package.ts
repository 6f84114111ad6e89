/** What the package `@plimsoll/sandbox` exports, and its command. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Choices } from '../../sandbox/choices/choices.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { type Seed, seedFor } from '../../sandbox/state/seed.ts'
import { closeServer } from '../http/listener.ts'
import { allowSandboxHosts, assertSandboxAddress } from './address.ts'
import { addressesOf, begin, LOOPBACK, openListeners, waitIdly } from './listeners.ts'
import { createWorlds } from './worlds.ts'

export { createSandbox, seedFor }

export interface StartOptions {
  /** 0, the default, stands for any two free ports; otherwise the control plane is one port above. */
  port?: number
  host?: string
  /** Opens an address that others can reach: the sandbox asks for no password. */
  anyAddress?: boolean
  /** Further names by which clients may ask. */
  allowedHosts?: readonly string[]
  /** Records in place of the built-in ones. */
  seed?: Partial<Seed>
  choices?: Partial<Choices>
  /** A time such as `2026-11-30T23:59:00Z`, at which the clock stands. */
  freeze?: string
  /** The path in front of every address, for example `/a/b`. */
  basePath?: string
}

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>

/** Starts the service and its control plane. Nothing is stored. @throws Error in one sentence */
export async function startSandbox(options: StartOptions = {}) {
  const { port = 0, host = LOOPBACK, basePath = '', allowedHosts = [] } = options
  assertSandboxAddress(host, options.anyAddress === true)
  const frozen = options.freeze === undefined ? {} : { frozenAtMs: instantOf(options.freeze) }
  const addresses = { url: '', controlUrl: '' }
  const parts = { now: () => Date.now(), wait: waitIdly, basePath }
  const worlds = createWorlds({ ...parts, main: () => sandbox, addresses: () => addresses })
  const sandbox = createSandbox({
    ...parts,
    seed: seedFor({ publicUrl: 'http://localhost:3000', random: randomBytes(32).toString('base64url') }),
    controlBasePath: basePath,
    openWorld: worlds.open,
    ...(options.choices && { choices: options.choices }),
  })
  const { control } = sandbox
  if (options.seed) control.seed(options.seed)
  begin(sandbox, frozen)
  const hosts = { allows: allowSandboxHosts(host, allowedHosts) }
  const servers = await openListeners(worlds.of, { port, host, hosts })
  Object.assign(addresses, addressesOf(servers, host, basePath))
  return {
    ...addresses,
    /** The records, with every secret of them. */
    seed: sandbox.currentSeed(),
    control,
    /** Back to the records, the choices and the time of the start. */
    reset: () => {
      control.reset()
      begin(sandbox, frozen)
    },
    close: async () => void (await Promise.all(servers.map((server) => closeServer(server)))),
  }
}

const FLAGS = {
  port: { type: 'string', help: 'N: the service, and the control plane one above; 0, the default: any two' },
  host: { type: 'string', help: 'ADDRESS: where the service listens; 127.0.0.1 by default' },
  'any-address': { type: 'boolean', help: 'open also on an address that others can reach' },
  'allowed-hosts': { type: 'string', help: 'NAMES: further names by which clients ask, with commas' },
  'ready-json': { type: 'boolean', help: 'print one line, {"url", "control_url"}' },
  seed: { type: 'string', help: 'FILE: begin with these records' },
  choices: { type: 'string', help: 'FILE: begin with these choices' },
  freeze: { type: 'string', help: 'TIME: begin at this time, with a clock that stands' },
  'base-path': { type: 'string', help: 'PATH: in front of every address' },
  help: { type: 'boolean', help: 'show this text' },
} as const

const HELP = `Usage: plimsoll-sandbox [flags]

${Object.entries(FLAGS)
  .map(([name, { help }]) => `  --${name.padEnd(12)} ${help}`)
  .join('\n')}

PLIMSOLL_SANDBOX_PORT, PLIMSOLL_SANDBOX_SEED and so on stand for the flags of these names.
`

type Environment = Readonly<Record<string, string | undefined>>

/** The flags, and the variables of the same names where a flag is not given. */
function readFlags(args: readonly string[], environment: Environment) {
  const named = Object.entries(FLAGS).flatMap(([name, { type }]) => {
    const value = environment[`PLIMSOLL_SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`]
    return type === 'string' && value ? [[name, value]] : []
  })
  const { values } = parseArgs({ args: [...args], options: FLAGS })
  return { ...(Object.fromEntries(named) as typeof values), ...values }
}

/** @throws Error in one sentence */
export async function runCommand(args: readonly string[], environment: Environment) {
  const { port = '0', host = LOOPBACK, 'base-path': basePath = '', ...flags } = readFlags(args, environment)
  if (flags.help) return { text: HELP, close: async () => {} }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_534)
    throw new Error('--port must be a number from 0 to 65534')
  const running = await startSandbox({
    port: Number(port),
    host,
    basePath,
    anyAddress: flags['any-address'] === true,
    allowedHosts: flags['allowed-hosts']?.split(',') ?? [],
    ...(flags.freeze && { freeze: flags.freeze }),
    ...readRecords(flags),
  })
  const { url, controlUrl, seed: records } = running
  const text = flags['ready-json']
    ? JSON.stringify({ url, control_url: controlUrl })
    : `The service is at ${url}, its control plane at ${controlUrl}. An API key: ${records.api_keys[0]?.value}`
  return { text: `${text}\n`, close: () => running.close() }
}

const readRecords = ({ seed, choices }: { seed?: string; choices?: string }) => ({
  ...(seed && { seed: readJson(seed) as Partial<Seed> }),
  ...(choices && { choices: readJson(choices) as Partial<Choices> }),
})

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`${path} cannot be used: ${(cause as Error).message}`, { cause })
  }
}

/** @throws Error for what is no time */
function instantOf(time: string): number {
  const ms = Date.parse(time)
  if (Number.isNaN(ms)) throw new Error(`${time} is not a time such as 2026-11-30T23:59:00Z`)
  return ms
}
