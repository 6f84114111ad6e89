import { parseArgs } from 'node:util'

export const HELP = `Usage: npm run proof [-- flags]

  --seed S       draw the random services from this number
  --choices K    play one journey only, and print everything that it recorded
  --help         show this text
`

/** @throws Error in one sentence for an unknown flag or a missing value */
export function parseFlags(args: readonly string[], defaultSeed: number) {
  const options = {
    seed: { type: 'string' },
    choices: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const read = () => {
    try {
      return parseArgs({ args: [...args], options }).values
    } catch (error) {
      const [sentence] = (error as Error).message.split('. ')
      throw new Error(`${sentence}. --help lists the flags.`, { cause: error })
    }
  }
  const { seed = String(defaultSeed), choices, help = false } = read()
  if (!/^\d{1,15}$/.test(seed)) throw new Error('--seed is a whole number. --help lists the flags.')
  return { seed: Number(seed), choices, isHelp: help }
}
