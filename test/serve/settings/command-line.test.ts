import { expect, test } from 'vitest'
import { HELP, parseCommandLine } from '../../../src/serve/settings/command-line.ts'

test('without flags the app starts', () => {
  expect(parseCommandLine([])).toEqual({ beginning: { isReadyJson: false } })
})

test.each([
  [['--sandbox'], { sandbox: true }],
  [['--sandbox', '--any-address'], { sandbox: true, 'any-address': true }],
  [
    [
      '--sandbox',
      '--port=0',
      '--ready-json',
      '--seed=a.json',
      '--choices=b.json',
      '--freeze=2026-11-30T00:00Z',
      '--control-host=0.0.0.0',
      '--control-token-file=token',
    ],
    {
      beginning: {
        port: 0,
        isReadyJson: true,
        controlHost: '0.0.0.0',
        controlTokenFile: 'token',
        seedFile: 'a.json',
        choicesFile: 'b.json',
        frozenAtMs: Date.UTC(2026, 10, 30),
      },
    },
  ],
  [['--help'], { help: true }],
  [['-h', '--sandbox'], { help: true }],
  [['--doctor'], { doctor: true }],
  [['--rotate-secret'], { 'rotate-secret': true }],
  [['--doctor', '--spend'], { doctor: true, spend: true }],
])('%j is understood', (args, command) => {
  expect(parseCommandLine(args)).toMatchObject(command)
})

test.each([
  [['--sandbx'], "Unknown option '--sandbx'. --help"],
  [['--port', '80'], '--port is for --sandbox only. --help'],
  [['--sandbox', '--port', '65535'], '--port must be a number from 0 to 65534. --help'],
  [['--sandbox', '--freeze', 'noon'], '--freeze must be a time such as'],
  [['-x'], "Unknown option '-x'. --help"],
  [['sandbox'], "Unexpected argument 'sandbox'"],
  [['--sandbox=yes'], 'does not take an argument'],
  [['--sandbox', '--port'], 'argument missing'],
  [['--any-address'], '--any-address is for --sandbox only.'],
  [['--spend'], '--spend is for --doctor only.'],
  [['--doctor', '--sandbox'], 'only one of --sandbox, --doctor and --rotate-secret'],
  [['--doctor', '--rotate-secret'], 'only one of'],
])('%j is refused', (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(message)
})

test('the help names every flag', () => {
  for (const flag of [
    '--sandbox',
    '--any-address',
    '--port N',
    '--ready-json',
    '--doctor',
    '--spend',
    '--rotate-secret',
    '--help',
  ])
    expect(HELP).toContain(flag)
})
