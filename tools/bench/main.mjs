// `npm run bench`: all measurements in turn. `npm run bench -- size` runs one, with its arguments.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Each with the arguments that it gets here. */
const RUN = { size: ['--write'], start: [], input: [], lighthouse: [], compare: [] }

const [name, ...rest] = process.argv.slice(2)
const chosen = name === undefined ? Object.keys(RUN) : Object.keys(RUN).filter((one) => one === name)
if (chosen.length === 0) console.error(`There is no ${name}. There are ${Object.keys(RUN).join(', ')}.`)

let running
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    chosen.length = 0
    running?.kill('SIGTERM')
  })

const failed = name !== undefined && chosen.length === 0 ? [name] : []
for (const one of chosen) {
  console.log(`\n${one}`)
  const file = fileURLToPath(new URL(`${one}.mjs`, import.meta.url))
  running = spawn(process.execPath, [file, ...RUN[one], ...rest], { stdio: 'inherit' })
  if ((await once(running, 'close'))[0] !== 0) failed.push(one)
}
if (failed.length > 0) console.error(`\nNot well: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
