import { expect, test } from 'vitest'
import { HELP, parseCommandLine } from '../../src/serve/command-line.ts'

test('without flags the app starts', () => {
  expect(parseCommandLine([])).toEqual({ isSandboxOnly: false, isAnyAddressAllowed: false, isHelp: false })
})

test.each([
  [['--sandbox'], { isSandboxOnly: true }],
  [['--sandbox', '--any-address'], { isSandboxOnly: true, isAnyAddressAllowed: true }],
  [['--help'], { isHelp: true }],
  [['-h', '--sandbox'], { isHelp: true }],
])('%j is understood', (args, command) => {
  expect(parseCommandLine(args)).toMatchObject(command)
})

test.each([
  [['--sandbx'], '--sandbx is not a flag. Did you mean --sandbox? --help'],
  [['--port', '80'], '--port is not a flag. --help'],
  [['-x'], '-x is not a flag.'],
  [['sandbox'], '"sandbox" is not a flag.'],
  [['--sandbox=yes'], 'does not take an argument'],
  [['--any-address'], '--any-address is for --sandbox only.'],
])('%j is refused', (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(message)
})

test('the help names every flag', () => {
  for (const flag of ['--sandbox', '--any-address', '--help']) expect(HELP).toContain(flag)
})
