#!/usr/bin/env node
// The command of the package: `plimsoll start`, `plimsoll sandbox`, `plimsoll doctor`, with their flags.
const COMMANDS = { start: [], sandbox: ['--sandbox'], doctor: ['--doctor'] }
const [command = 'start', ...flags] = process.argv.slice(2)

if (Object.hasOwn(COMMANDS, command)) {
  process.argv.splice(2, Infinity, ...COMMANDS[command], ...flags)
  await import('../dist/server/serve.js')
} else {
  console.error(`Usage: plimsoll ${Object.keys(COMMANDS).join(' | ')} [flags]`)
  process.exitCode = 1
}
