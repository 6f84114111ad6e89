// `npm run bench`: all that belongs to a run, in turn. `npm run bench -- lighthouse` runs one, with its arguments.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const RUN = ['size', 'quota', 'ledger', 'start', 'sandbox/main', 'speed/main', 'scale/main']
/** They have limits of their own, so the machine must do nothing else. */
const ALONE = ['lighthouse', 'input']

const [name, ...rest] = process.argv.slice(2)
const known = [...RUN, ...ALONE]
const chosen = name === undefined ? RUN : known.filter((one) => one.split('/')[0] === name)
if (chosen.length === 0)
  console.error(`There is no ${name}. There are ${known.map((one) => one.split('/')[0]).join(', ')}.`)

const file = (one) => fileURLToPath(new URL(`${one}.mjs`, import.meta.url))
const isGood = (one) => spawnSync(process.execPath, [file(one), ...rest], { stdio: 'inherit' }).status === 0
process.exitCode = chosen.length > 0 && chosen.every(isGood) ? 0 : 1
