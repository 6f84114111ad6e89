// `npm run check`: what CI runs beside the tests. `npm run check -- lint format` runs those two.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const CHECKS = {
  types: 'tsc --noEmit',
  lint: 'oxlint',
  format: 'biome format',
  unused: 'knip',
  references: 'node tools/lint/references.mjs',
  size: 'node tools/run.mjs tools/build/build.mjs --if-changed && node tools/bench/size.mjs',
}

const given = process.argv.slice(2)
const unknown = given.filter((name) => !(name in CHECKS))
const chosen = unknown.length === 0 && given.length > 0 ? given : Object.keys(CHECKS)
// Side by side, because most of them use one core.
const results = unknown.length > 0 ? [] : await Promise.all(chosen.map(check))
const failed = results.filter(({ hasPassed }) => !hasPassed).map(({ name }) => name)

/** The shell finds the programs on the path that npm sets. What it says is printed once it has ended. */
async function check(name) {
  const child = spawn(CHECKS[name], { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more) => (said += more))
  const [code] = await once(child, 'close')
  console.log(`\n${name}: ${CHECKS[name]}\n${said}`.trimEnd())
  return { name, hasPassed: code === 0 }
}

if (unknown.length > 0)
  console.error(`There is no check ${unknown.join(', ')}. The checks are ${chosen.join(', ')}.`)
if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`)
else if (unknown.length === 0) console.log(`\nPassed: ${chosen.join(', ')}`)
process.exitCode = failed.length + unknown.length > 0 ? 1 : 0
