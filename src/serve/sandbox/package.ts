/** What the package `@plimsoll/sandbox` exports, and its command. */
import { randomBytes } from 'node:crypto'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { seedFor } from '../../sandbox/state/seed.ts'
import type { RunningSandbox, StartOptions } from './exports.d.ts'
import { helpOf, optionsOf, readFlags, SANDBOX_FLAGS } from './flags.ts'
import { openListeners } from './listeners.ts'

export { createSandbox, seedFor }

/** Starts the service and its control plane. Nothing is stored. @throws Error in one sentence */
export function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  const seed = seedFor({ publicUrl: 'http://localhost:3000', random: randomBytes(32).toString('base64url') })
  return openListeners(options, {
    names: { port: '--port', host: '--host', hosts: '--allowed-hosts' },
    onError: ({ stack }) => void process.stderr.write(`${stack}\n`),
    make: (parts) => ({ sandbox: createSandbox({ ...parts, seed }), close: () => {} }),
  })
}

/** The variables that stand for flags with a value. */
const flagsIn = (environment: NodeJS.ProcessEnv) =>
  Object.entries(SANDBOX_FLAGS).flatMap(([name, { type }]) => {
    const value = environment[`PLIMSOLL_SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`]
    return type === 'string' && value ? [`--${name}=${value}`] : []
  })

/** @throws Error in one sentence */
export async function runCommand(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const flags = readFlags([...flagsIn(environment), ...args], SANDBOX_FLAGS)
  const variables =
    'PLIMSOLL_SANDBOX_PORT, PLIMSOLL_SANDBOX_SEED and so on stand for the flags of these names.'
  const text = `Usage: plimsoll-sandbox [flags]\n\n${helpOf(SANDBOX_FLAGS)}\n${variables}\n`
  if (flags.help) return { text, close: async () => {} }
  const { url, controlUrl, seed, close } = await startSandbox(optionsOf(flags))
  const [key] = seed.api_keys
  const ready = flags['ready-json']
    ? JSON.stringify({ url, control_url: controlUrl })
    : `The service is at ${url}, its control plane at ${controlUrl}${key ? `. An API key: ${key.value}` : ''}`
  return { text: `${ready}\n`, close }
}
