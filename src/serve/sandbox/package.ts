/** What the package `@plimsoll/sandbox` exports, and its command. */
import { randomBytes } from 'node:crypto'
import { parseChoices } from '../../sandbox/choices/choices.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { seedFor } from '../../sandbox/state/seed.ts'
import { type Beginning, helpOf, readBeginning, readFlags, SANDBOX_FLAGS } from '../settings/command-line.ts'
import { assertSandboxAddress, LOOPBACK } from './address.ts'
import type { RunningSandbox, StartOptions } from './exports.d.ts'
import { begin, openSandboxAt } from './listeners.ts'

export { createSandbox, seedFor }

/** Starts the service and its control plane. Nothing is stored. @throws Error in one sentence */
export const startSandbox = ({ freeze, ...options }: StartOptions = {}): Promise<RunningSandbox> =>
  start(options, readBeginning(freeze === undefined ? {} : { freeze }))

async function start(options: StartOptions, beginning: Beginning): Promise<RunningSandbox> {
  const { port = 0, host = LOOPBACK, anyAddress = false, basePath = '', allowedHosts = [] } = options
  assertSandboxAddress(host, anyAddress)
  const { frozenAtMs } = beginning
  const { sandbox, url, controlUrl, close } = await openSandboxAt(
    { ...beginning, ...options, port, host, allowedHosts, basePath, hostsSetting: '--allowed-hosts' },
    (parts) => {
      const seed = seedFor({
        publicUrl: 'http://localhost:3000',
        random: randomBytes(32).toString('base64url'),
      })
      const made = createSandbox({ ...parts, seed, choices: parseChoices(options.choices ?? {}) })
      if (options.seed) made.control.seed(options.seed)
      begin(made, beginning)
      return made
    },
  )
  const reset = () => {
    sandbox.control.reset()
    begin(sandbox, { frozenAtMs })
  }
  return { url, controlUrl, seed: sandbox.currentSeed(), control: sandbox.control, reset, close }
}

const FLAGS = {
  ...SANDBOX_FLAGS,
  host: { type: 'string', value: 'ADDRESS', help: 'where the service listens; 127.0.0.1 by default' },
  'allowed-hosts': {
    type: 'string',
    value: 'NAMES',
    help: 'further names by which clients ask, with commas',
  },
  'base-path': { type: 'string', value: 'PATH', help: 'in front of every address' },
  help: { type: 'boolean', help: 'show this text' },
} as const

const HELP = `Usage: plimsoll-sandbox [flags]

${helpOf(FLAGS)}

PLIMSOLL_SANDBOX_PORT, PLIMSOLL_SANDBOX_SEED and so on stand for the flags of these names.
`

type Environment = Readonly<Record<string, string | undefined>>

/** The variables that stand for flags with a value. */
const flagsIn = (environment: Environment) =>
  Object.fromEntries(
    Object.entries(FLAGS).flatMap(([name, { type }]) => {
      const value = environment[`PLIMSOLL_SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`]
      return type === 'string' && value ? [[name, value]] : []
    }),
  )

/** @throws Error in one sentence */
export async function runCommand(args: readonly string[], environment: Environment) {
  const flags: ReturnType<typeof readFlags<typeof FLAGS>> = {
    ...flagsIn(environment),
    ...readFlags(args, FLAGS),
  }
  if (flags.help) return { text: HELP, close: async () => {} }
  const beginning = readBeginning(flags)
  const running = await start(
    {
      port: beginning.port ?? 0,
      host: flags.host ?? LOOPBACK,
      basePath: flags['base-path'] ?? '',
      anyAddress: flags['any-address'] === true,
      allowedHosts: flags['allowed-hosts']?.split(',') ?? [],
    },
    beginning,
  )
  const { url, controlUrl, seed } = running
  const text = beginning.isReadyJson
    ? JSON.stringify({ url, control_url: controlUrl })
    : `The service is at ${url}, its control plane at ${controlUrl}. An API key: ${seed.api_keys[0]?.value}`
  return { text: `${text}\n`, close: () => running.close() }
}
