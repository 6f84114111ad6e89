import { helpOf, readFlags, SANDBOX_FLAGS, type SandboxFlags } from '../sandbox/flags.ts'

const HELPED = { help: SANDBOX_FLAGS.help }
/** The first flag says what to do; without one, the app starts. Each has its own further flags. */
const COMMANDS = { sandbox: SANDBOX_FLAGS, doctor: HELPED, 'rotate-secret': HELPED, start: HELPED } as const

export interface Command {
  command: keyof typeof COMMANDS
  flags: SandboxFlags
}

/** @throws Error in one line for a flag that does not belong to the command, or a wrong value */
export function parseCommandLine(args: readonly string[]): Command {
  const [first = ''] = args
  const named = first.replace(/^--/, '') as Command['command']
  const isNamed = first.startsWith('--') && Object.hasOwn(COMMANDS, named)
  const command = isNamed ? named : 'start'
  const flags = readFlags(isNamed ? args.slice(1) : args, COMMANDS[command]) as Command['flags']
  return { command, flags }
}

export const HELP = `Usage: npm start [-- flags], npm run sandbox [-- flags], or npm run doctor [-- flags]

  --rotate-secret            replace the store's secret, also while the app runs
  --doctor                   examine this deployment, and send nothing to the service
  --sandbox                  start the sandbox alone, without the app; then also:
${helpOf(SANDBOX_FLAGS)}
Settings are environment variables that begin with PLIMSOLL_; docs/settings.md lists them.
`
