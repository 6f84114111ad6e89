/** Reads the command line. */
import { parseArgs } from 'node:util'
import { nearest } from './nearest.ts'

const FLAGS = {
  sandbox: { type: 'boolean', help: 'start the sandbox alone, without the app' },
  'any-address': { type: 'boolean', help: 'with --sandbox: open also on an address that others can reach' },
  help: { type: 'boolean', short: 'h', help: 'show this text' },
} as const

export interface Command {
  isSandboxOnly: boolean
  isAnyAddressAllowed: boolean
  isHelp: boolean
}

/** @throws Error in one sentence for an unknown flag or a value that no flag takes */
export function parseCommandLine(args: readonly string[]): Command {
  const { tokens } = parseArgs({ args: [...args], options: FLAGS, strict: false, tokens: true })
  const known = Object.keys(FLAGS)
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Error(`"${token.value}" is not a flag. ${SEE_HELP}`)
    if (token.kind === 'option' && !known.includes(token.name)) {
      const meant = nearest(token.name, known)
      throw new Error(
        `${token.rawName} is not a flag.${meant === undefined ? '' : ` Did you mean --${meant}?`} ${SEE_HELP}`,
      )
    }
  }
  const { values } = parseArgs({ args: [...args], options: FLAGS })
  const command = {
    isSandboxOnly: values.sandbox === true,
    isAnyAddressAllowed: values['any-address'] === true,
    isHelp: values.help === true,
  }
  if (command.isAnyAddressAllowed && !command.isSandboxOnly && !command.isHelp)
    throw new Error(`--any-address is for --sandbox only. ${SEE_HELP}`)
  return command
}

const SEE_HELP = '--help lists the flags.'

/** What `--help` prints. */
export const HELP = `Usage: npm start [-- flags], or npm run sandbox [-- flags]

${Object.entries(FLAGS)
  .map(([name, { help }]) => `  --${name.padEnd(14)}${help}`)
  .join('\n')}

Settings are environment variables that begin with PLIMSOLL_; README.md lists them.
`
