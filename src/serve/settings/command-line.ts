import { parseArgs } from 'node:util'

const FLAGS = {
  sandbox: { type: 'boolean', help: 'start the sandbox alone, without the app' },
  'any-address': { type: 'boolean', help: 'with --sandbox: open also on an address that others can reach' },
  port: {
    type: 'string',
    value: 'N',
    help: 'with --sandbox: its port, the control plane one above; 0: any two',
  },
  'ready-json': { type: 'boolean', help: 'with --sandbox: print one line, {"url", "control_url"}' },
  seed: {
    type: 'string',
    value: 'FILE',
    help: 'with --sandbox: begin with these records, and store nothing',
  },
  choices: {
    type: 'string',
    value: 'FILE',
    help: 'with --sandbox: begin with these choices, and store nothing',
  },
  freeze: {
    type: 'string',
    value: 'TIME',
    help: 'with --sandbox: begin at this time, with a clock that stands',
  },
  doctor: { type: 'boolean', help: 'examine this deployment, and send nothing to the service' },
  spend: { type: 'boolean', help: 'with --doctor: also one request to the service, after a question' },
  help: { type: 'boolean', short: 'h', help: 'show this text' },
} as const

/** The last sentence of every refusal, also of those that Node writes. */
const SEE_HELP = '--help lists the flags.'
const OF_SANDBOX = ['port', 'ready-json', 'seed', 'choices', 'freeze', 'any-address'] as const

export interface Command {
  isSandboxOnly: boolean
  isAnyAddressAllowed: boolean
  isHelp: boolean
  /** For the sandbox alone. */
  beginning: Beginning
  /** Examine the deployment, and start nothing. */
  doctor?: { maySpend: boolean }
}

/** How the sandbox begins. */
export interface Beginning {
  /** 0 stands for any free port, and any other for the control plane. */
  port?: number
  isReadyJson?: boolean
  seedFile?: string
  choicesFile?: string
  /** UNIX milliseconds. */
  frozenAtMs?: number
}

/** @throws Error in one line for an unknown flag or a wrong value */
export function parseCommandLine(args: readonly string[]): Command {
  const values = readFlags(args)
  if (values.help !== true) assertTogether(values)
  return {
    isSandboxOnly: values.sandbox === true,
    isAnyAddressAllowed: values['any-address'] === true,
    isHelp: values.help === true,
    beginning: readBeginning(values),
    ...(values.doctor && { doctor: { maySpend: values.spend === true } }),
  }
}

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: FLAGS }).values
type Flags = ReturnType<typeof parse>

function readFlags(args: readonly string[]): Flags {
  try {
    return parse(args)
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
  if (doctor && sandbox) throw refusal('--doctor starts nothing, so it takes no --sandbox')
}

function readBeginning({ port, seed, choices, freeze, ...flags }: Flags): Beginning {
  const frozenAtMs = Date.parse(freeze ?? '')
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_534))
    throw refusal('--port must be a number from 0 to 65534')
  if (freeze !== undefined && Number.isNaN(frozenAtMs))
    throw refusal('--freeze must be a time such as 2026-11-30T23:59:00Z')
  return {
    ...(port !== undefined && { port: Number(port) }),
    ...(flags['ready-json'] && { isReadyJson: true }),
    ...(seed !== undefined && { seedFile: seed }),
    ...(choices !== undefined && { choicesFile: choices }),
    ...(freeze !== undefined && { frozenAtMs }),
  }
}

export const HELP = `Usage: npm start [-- flags], npm run sandbox [-- flags], or npm run doctor [-- flags]

${Object.entries(FLAGS)
  .map(([name, flag]) => `  --${`${name} ${'value' in flag ? flag.value : ''}`.padEnd(14)}${flag.help}`)
  .join('\n')}

Settings are environment variables that begin with PLIMSOLL_; docs/settings.md lists them.
`
