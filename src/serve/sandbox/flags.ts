/** The flags of `npm run sandbox`, and of the command of its package. */
import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { isJsonObject } from '../../contract/json.ts'
import { parse } from '../../sandbox/state/parse.ts'
import { hosts } from '../settings/values.ts'
import type { StartOptions } from './exports.d.ts'

export const SANDBOX_FLAGS = {
  port: { type: 'string', value: 'N', help: 'port of the service; the control plane has the next; 0: any' },
  host: { type: 'string', value: 'ADDRESS', help: 'where the service listens; 127.0.0.1 by default' },
  'any-address': { type: 'boolean', help: 'open also on an address that others can reach' },
  'allowed-hosts': { type: 'string', value: 'NAMES', help: 'further names that clients use, with commas' },
  'control-host': { type: 'string', value: 'ADDRESS', help: 'address of the control plane; else 127.0.0.1' },
  'control-token-file': { type: 'string', value: 'FILE', help: 'the token that the control plane asks for' },
  'base-path': { type: 'string', value: 'PATH', help: 'in front of every address' },
  seed: { type: 'string', value: 'FILE', help: 'begin with these records, and store nothing' },
  choices: { type: 'string', value: 'FILE', help: 'begin with these choices, and store nothing' },
  freeze: { type: 'string', value: 'TIME', help: 'begin at this time, with a clock that stands' },
  'ready-json': { type: 'boolean', help: 'print one line, {"url", "control_url"}' },
  help: { type: 'boolean', short: 'h', help: 'show this text' },
} as const

type Options = NonNullable<ParseArgsConfig['options']>
export type SandboxFlags = ReturnType<typeof readFlags<typeof SANDBOX_FLAGS>>

/** @throws Error in one line for a flag that is not known */
export function readFlags<Known extends Options>(args: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    const [reason] = (error as Error).message.split(/\.? To specify|\.$/)
    throw new Error(`${reason}. --help lists the flags.`, { cause: error })
  }
}

/** @throws Error in one line for a name that is no host, or a file that cannot be read */
export const optionsOf = (flags: SandboxFlags): StartOptions => ({
  port: flags.port === undefined ? undefined : /^\d+$/.test(flags.port) ? Number(flags.port) : NaN,
  host: flags.host,
  anyAddress: flags['any-address'],
  allowedHosts: flags['allowed-hosts'] ? parse(hosts, flags['allowed-hosts'], '--allowed-hosts') : undefined,
  controlHost: flags['control-host'],
  controlTokenFile: flags['control-token-file'],
  basePath: flags['base-path'],
  seed: readJson(flags.seed) as StartOptions['seed'],
  choices: readJson(flags.choices) as StartOptions['choices'],
  freeze: flags.freeze,
})

function readJson(path: string | undefined): unknown {
  if (path === undefined) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isJsonObject(value)) return value
    throw new Error('it is no JSON object')
  } catch (cause) {
    throw new Error(`${path} cannot be used: ${(cause as Error).message}`, { cause })
  }
}

/** A line for each flag. */
export const helpOf = (flags: Readonly<Record<string, { value?: string; help: string }>>): string =>
  Object.entries(flags)
    .map(([name, { value = '', help }]) => `  --${`${name} ${value}`.padEnd(25)} ${help}\n`)
    .join('')
