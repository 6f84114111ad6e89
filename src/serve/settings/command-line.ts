import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Those of `--sandbox`, and of the command of its package. */
export const SANDBOX_FLAGS = {
  'any-address': { type: 'boolean', help: 'open also on an address that others can reach' },
  port: { type: 'string', value: 'N', help: 'the service, and the control plane one above; 0: any two' },
  'ready-json': { type: 'boolean', help: 'print one line, {"url", "control_url"}' },
  'control-host': {
    type: 'string',
    value: 'ADDRESS',
    help: 'where the control plane listens; 127.0.0.1 by default',
  },
  'control-token-file': { type: 'string', value: 'FILE', help: 'it asks for the token of this file' },
  seed: { type: 'string', value: 'FILE', help: 'begin with these records, and store nothing' },
  choices: { type: 'string', value: 'FILE', help: 'begin with these choices, and store nothing' },
  freeze: { type: 'string', value: 'TIME', help: 'begin at this time, with a clock that stands' },
} as const

const FLAGS = {
  sandbox: { type: 'boolean', help: 'start the sandbox alone, without the app; then also:' },
  ...SANDBOX_FLAGS,
  doctor: { type: 'boolean', help: 'examine this deployment, and send nothing to the service' },
  spend: { type: 'boolean', help: 'with --doctor: also one request to the service, after a question' },
  'rotate-secret': { type: 'boolean', help: "replace the store's secret, also while the app runs" },
  help: { type: 'boolean', short: 'h', help: 'show this text' },
} as const

/** The last sentence of every refusal, also of those that Node writes. */
const SEE_HELP = '--help lists the flags.'
const OF_SANDBOX = Object.keys(SANDBOX_FLAGS) as (keyof typeof SANDBOX_FLAGS)[]

/** How the sandbox begins. */
export interface Beginning {
  /** 0 stands for any free port, and any other for the control plane. */
  port?: number | undefined
  isReadyJson?: boolean
  /** Absent: this machine alone can reach the control plane. */
  controlHost?: string | undefined
  controlTokenFile?: string | undefined
  seedFile?: string | undefined
  choicesFile?: string | undefined
  /** UNIX milliseconds. */
  frozenAtMs?: number | undefined
}

export type Command = Flags & { beginning: Beginning }

/** @throws Error in one line for an unknown flag or a wrong value */
export function parseCommandLine(args: readonly string[]): Command {
  const flags = readFlags(args, FLAGS)
  if (!flags.help) assertTogether(flags)
  return { ...flags, beginning: readBeginning(flags) }
}

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Known extends Options> = ReturnType<typeof readFlags<Known>>
type Flags = Values<typeof FLAGS>

/** @throws Error in one line for a flag that is not known */
export function readFlags<Known extends Options>(args: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw refusal((error as Error).message.replace(/\.? To specify.*|\.$/s, ''))
  }
}

const refusal = (text: string) => new Error(`${text}. ${SEE_HELP}`)

/** @throws Error for flags that do not go together */
function assertTogether(flags: Flags): void {
  const { sandbox, doctor, spend } = flags
  const lost = OF_SANDBOX.find((name) => flags[name] !== undefined && !sandbox)
  if (lost !== undefined) throw refusal(`--${lost} is for --sandbox only`)
  if (spend && !doctor) throw refusal('--spend is for --doctor only')
  if ([sandbox, doctor, flags['rotate-secret']].filter(Boolean).length > 1)
    throw refusal('only one of --sandbox, --doctor and --rotate-secret can be done at a time')
}

/** @throws Error in one line for a wrong value */
export function readBeginning(flags: Values<typeof SANDBOX_FLAGS>): Beginning {
  const { port, seed, choices, freeze } = flags
  const { 'control-host': controlHost, 'control-token-file': controlTokenFile } = flags
  const frozenAtMs = Date.parse(freeze ?? '')
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_534))
    throw refusal('--port must be a number from 0 to 65534')
  if (freeze !== undefined && Number.isNaN(frozenAtMs))
    throw refusal('--freeze must be a time such as 2026-11-30T23:59:00Z')
  return {
    port: port === undefined ? undefined : Number(port),
    isReadyJson: flags['ready-json'] === true,
    controlHost,
    controlTokenFile,
    seedFile: seed,
    choicesFile: choices,
    frozenAtMs: freeze === undefined ? undefined : frozenAtMs,
  }
}

/** A line for each flag. */
export const helpOf = (flags: Readonly<Record<string, { value?: string; help: string }>>): string =>
  Object.entries(flags)
    .map(([name, { value = '', help }]) => `  --${`${name} ${value}`.padEnd(25)} ${help}`)
    .join('\n')

export const HELP = `Usage: npm start [-- flags], npm run sandbox [-- flags], or npm run doctor [-- flags]

${helpOf(FLAGS)}

Settings are environment variables that begin with PLIMSOLL_; docs/settings.md lists them.
`
