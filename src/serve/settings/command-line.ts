import { parseArgs } from 'node:util'
import { nearest } from './nearest.ts'

const MOST_WORKERS = 64

const FLAGS = {
  workers: {
    type: 'string',
    value: 'N',
    help: `serve the app with N processes, 1 to ${MOST_WORKERS}; without it 1`,
  },
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

export interface Command {
  isSandboxOnly: boolean
  isAnyAddressAllowed: boolean
  isHelp: boolean
  workers: number
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

/** @throws Error in one sentence for an unknown flag or a wrong value */
export function parseCommandLine(args: readonly string[]): Command {
  assertKnown(args)
  const { values } = parseArgs({ args: [...args], options: FLAGS })
  const workers = parseWorkers(values.workers)
  if (values.help !== true) assertTogether(values)
  return {
    isSandboxOnly: values.sandbox === true,
    isAnyAddressAllowed: values['any-address'] === true,
    isHelp: values.help === true,
    workers,
    beginning: readBeginning(values),
    ...(values.doctor && { doctor: { maySpend: values.spend === true } }),
  }
}

function assertKnown(args: readonly string[]): void {
  const { tokens } = parseArgs({ args: [...args], options: FLAGS, strict: false, tokens: true })
  const known = Object.keys(FLAGS)
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Error(`"${token.value}" is not a flag. ${SEE_HELP}`)
    if (token.kind === 'option' && !known.includes(token.name)) {
      const meant = nearest(token.name, known)
      const question = meant === undefined ? '' : ` Did you mean --${meant}?`
      throw new Error(`${token.rawName} is not a flag.${question} ${SEE_HELP}`)
    }
  }
}

interface SandboxFlags {
  port?: string
  'ready-json'?: boolean
  seed?: string
  choices?: string
  freeze?: string
}
const SANDBOX_FLAGS = ['port', 'ready-json', 'seed', 'choices', 'freeze', 'any-address'] as const

interface AllFlags extends SandboxFlags {
  sandbox?: boolean
  'any-address'?: boolean
  workers?: string
  doctor?: boolean
  spend?: boolean
}

/** @throws Error for flags that do not go together */
function assertTogether(values: AllFlags): void {
  const { sandbox, workers, doctor, spend } = values
  const wrong: [boolean | undefined, string][] = [
    ...SANDBOX_FLAGS.map((name): [boolean, string] => [
      values[name] !== undefined && !sandbox,
      `--${name} is for --sandbox only`,
    ]),
    [workers !== undefined && sandbox, '--workers is for the app, and not for --sandbox'],
    [spend && !doctor, '--spend is for --doctor only'],
    [
      doctor && (sandbox || workers !== undefined),
      '--doctor starts nothing, so it takes no --sandbox or --workers',
    ],
  ]
  const found = wrong.find(([isWrong]) => isWrong)
  if (found !== undefined) throw new Error(`${found[1]}. ${SEE_HELP}`)
}

function readBeginning({ port, seed, choices, freeze, ...flags }: SandboxFlags): Beginning {
  const frozenAtMs = Date.parse(freeze ?? '')
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_534))
    throw new Error(`--port must be a number from 0 to 65534. ${SEE_HELP}`)
  if (freeze !== undefined && Number.isNaN(frozenAtMs))
    throw new Error(`--freeze must be a time such as 2026-11-30T23:59:00Z. ${SEE_HELP}`)
  return {
    ...(port !== undefined && { port: Number(port) }),
    ...(flags['ready-json'] && { isReadyJson: true }),
    ...(seed !== undefined && { seedFile: seed }),
    ...(choices !== undefined && { choicesFile: choices }),
    ...(freeze !== undefined && { frozenAtMs }),
  }
}

function parseWorkers(text = '1'): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > MOST_WORKERS)
    throw new Error(`--workers must be a number from 1 to ${MOST_WORKERS}. ${SEE_HELP}`)
  return Number(text)
}

const SEE_HELP = '--help lists the flags.'

export const HELP = `Usage: npm start [-- flags], npm run sandbox [-- flags], or npm run doctor [-- flags]

${Object.entries(FLAGS)
  .map(([name, flag]) => `  --${`${name} ${'value' in flag ? flag.value : ''}`.padEnd(14)}${flag.help}`)
  .join('\n')}

Settings are environment variables that begin with PLIMSOLL_; docs/settings.md lists them.
`
