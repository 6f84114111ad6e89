// docs/deploy.md on this machine, up to a section: its commands, over the built app and the local service.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { seedFor } from '../../src/sandbox/state/seed.ts'
import { APP, SECRET } from './app.ts'
import { fetchFrom, freePort } from './app-process.ts'
import { commandsOf, copiedAtBuild } from './deploy-document.ts'
import { type Machine, openMachine, type Port, putProgram } from './machine.ts'
import { Person } from './person.ts'
import { CLIENT_ID, openService, type Service } from './strict-service.ts'
import { Units } from './units.ts'
import { until } from './until.ts'

export interface Deployment {
  machine: Machine
  service: Service
  units: Units
  /** Runs the commands of a section in order. @param change drops one by `undefined` @returns the output */
  run: (section: string, change?: (command: string) => string | undefined) => Promise<string>
  /** Starts or stops units, as `systemctl` does. */
  systemctl: (...words: string[]) => Promise<void>
  /** Waits until the instance with this operations port is ready. */
  ready: (port: Port) => Promise<void>
  /** A person whose requests go to the instance with this port. */
  person: (port: Port) => Person
  close: () => Promise<void>
}

/**
 * The app that the run of the tests has built is in place, and the commands of "Settings" have been run.
 * @param names of the document that this machine has others for
 */
export async function openDeployment(
  names: Record<string, string> = { 'https://plimsoll.example.com': APP },
): Promise<Deployment> {
  const port = await freePort()
  const machine = await openMachine({
    ...names,
    'https://tasks.example.com/api': `http://127.0.0.1:${port}`,
    'the-client-id': CLIENT_ID,
  })
  const publicUrl = machine.localize('https://plimsoll.example.com')
  const seed = seedFor({ publicUrl, clientId: CLIENT_ID, clientSecret: SECRET, random: 'of a deployment' })
  const service = await openService({ port, seed })
  const units = new Units(machine)
  putProgram(machine, 'systemd-analyze', ':')
  // In place of "Build", with what its commands put there.
  for (const name of [...copiedAtBuild(), 'node_modules']) {
    const path = machine.at(`srv/plimsoll/current/${name}`)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(resolve(name), path)
  }
  writeFileSync(machine.at('checkout/client-secret'), SECRET, { mode: 0o600 })
  const runCommand = async (text: string): Promise<string> => {
    const [program = '', ...words] = text.split(' ')
    if (program !== 'systemctl') return machine.run(text)
    await units.obey(words)
    return ''
  }
  const deployment: Deployment = {
    machine,
    service,
    units,
    async run(section, change = (command) => command) {
      const commands = commandsOf().filter((command) => command.section === section)
      if (commands.length === 0) throw new Error(`docs/deploy.md has no section "${section}"`)
      let said = ''
      for (const { text } of commands) {
        const command = change(text)
        if (command !== undefined) said += await runCommand(command)
      }
      return said
    },
    systemctl: (...words) => units.obey(words),
    ready: (port) =>
      until(() =>
        fetch(`http://127.0.0.1:${machine.port(port)}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    person: (port) =>
      new Person({
        bff: { fetch: (request) => fetchFrom(machine.port(port), request) },
        sandbox: service.sandbox,
        now: () => Date.now(),
      }),
    async close() {
      await units.close()
      await service.close()
      machine.remove()
    },
  }
  await deployment.run('Settings')
  return deployment
}
