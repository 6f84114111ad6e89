import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { optionsOf } from '../../../src/serve/sandbox/flags.ts'
import { runCommand } from '../../../src/serve/sandbox/package.ts'
import { HELP, parseCommandLine } from '../../../src/serve/start/command-line.ts'
import { folder } from '../../kit/temp-folder.ts'

test.each([
  [[], { command: 'start', flags: {} }],
  [['--help'], { command: 'start', flags: { help: true } }],
  [['--sandbox', '-h'], { command: 'sandbox', flags: { help: true } }],
  [['--sandbox', '--any-address'], { command: 'sandbox', flags: { 'any-address': true } }],
  [['--doctor'], { command: 'doctor', flags: {} }],
  [['--rotate-secret'], { command: 'rotate-secret', flags: {} }],
])('%j is understood', (args, command) => {
  expect(parseCommandLine(args)).toEqual(command)
})

test('the flags of the sandbox are its options', () => {
  const args = '--port=0 --ready-json --freeze=2026-11-30T00:00Z --control-host=0.0.0.0'.split(' ')
  const { flags } = parseCommandLine([
    '--sandbox',
    ...args,
    '--control-token-file=token',
    '--allowed-hosts=a, b',
  ])
  expect(optionsOf(flags)).toEqual({
    port: 0,
    freeze: '2026-11-30T00:00Z',
    controlHost: '0.0.0.0',
    controlTokenFile: 'token',
    allowedHosts: ['a', 'b'],
  })
})

test.each([
  [['--sandbx'], "Unknown option '--sandbx'. --help"],
  [['--port', '80'], "Unknown option '--port'. --help"],
  [['-x'], "Unknown option '-x'. --help"],
  [['sandbox'], "Unexpected argument 'sandbox'"],
  [['--sandbox=yes'], "Unknown option '--sandbox'"],
  [['--sandbox', '--port'], 'argument missing'],
  [['--doctor', '--spend'], "Unknown option '--spend'"],
  [['--doctor', '--sandbox'], "Unknown option '--sandbox'"],
])('%j is refused', (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(message)
})

test.each(['sandbox:4000', 'http://sandbox', 'a,,b'])('--allowed-hosts=%s is refused', (names) => {
  expect(() => optionsOf({ 'allowed-hosts': names })).toThrow(/^--allowed-hosts: must be host names or /)
})

test.each(['', '-1', '1.5', '0x50', '65535', 'x'])('--port=%s opens nothing', async (port) => {
  await expect(runCommand([`--port=${port}`], {})).rejects.toThrow('a number from 0 to 65534')
})

test('the command names a key of its seed if there is one, and its addresses in any case', async () => {
  const file = join(folder, 'seed.json')
  writeFileSync(file, '{"api_keys":[]}')
  for (const [args, end] of [
    [[], /\. An API key: \S+\n$/],
    [[`--seed=${file}`], /control plane at \S+:\d+\n$/],
  ] as const) {
    const { text, close } = await runCommand(args, {})
    expect(text).toMatch(end)
    await close()
  }
})

test('the help names every flag', () => {
  const flags = '--sandbox --any-address --port --ready-json --doctor --rotate-secret --help'
  for (const flag of flags.split(' ')) expect(HELP).toContain(`${flag} `)
})
