// `npm run check`: what CI runs beside the tests. `npm run check -- lint format` runs those two.
import { spawnSync } from 'node:child_process'

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
const failed = unknown.length > 0 ? [] : chosen.filter((name) => !passes(name))

/** The shell finds the programs on the path that npm sets. */
function passes(name) {
  console.log(`\n${name}: ${CHECKS[name]}`)
  return spawnSync(CHECKS[name], { shell: true, stdio: 'inherit' }).status === 0
}

if (unknown.length > 0)
  console.error(`There is no check ${unknown.join(', ')}. The checks are ${chosen.join(', ')}.`)
if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length + unknown.length > 0 ? 1 : 0
