// docs/deploy.md on this machine, up to a section: its commands, over the built app and the local service.
import { mkdirSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { makeCertificates } from '../tools/deploy/certificates.ts'
import { commandsOf } from '../tools/deploy/document.ts'
import { type Machine, openMachine, type Port, putProgram, putStandIns } from '../tools/deploy/machine.ts'
import { Units } from '../tools/deploy/units.ts'
import { fetchFrom } from '../tools/stress/process.ts'
import { CLIENT_ID, openService, type Service } from '../tools/stress/service.ts'
import { APP, SECRET } from './kit/app.ts'
import { Person } from './kit/person.ts'
import { until } from './kit/until.ts'

export interface Deployment {
  machine: Machine
  service: Service
  /** Runs the commands of a section in order. @param change drops one by `undefined` @returns the output */
  run: (section: string, change?: (command: string) => string | undefined) => Promise<string>
  /** Starts or stops units, as `systemctl` does. */
  systemctl: (...words: string[]) => Promise<string>
  /** What a unit has written so far. */
  output: (unit: string) => string
  /** Waits until the instance with this operations port is ready. */
  ready: (port: Port) => Promise<void>
  /** A person whose requests go to the instance with this port. */
  person: (port: Port) => Person
  close: () => Promise<void>
}

/** The commands of "Settings" have been run. @param names of the document that this machine has others for */
export async function openDeployment(
  names: Record<string, string> = { 'https://plimsoll.example.com': APP },
): Promise<Deployment> {
  const service = await openService()
  const machine = await openMachine({
    ...names,
    'https://tasks.example.com/api': service.url,
    'the-client-id': CLIENT_ID,
  })
  const units = new Units(machine)
  putStandIns(machine, await units.listen())
  putProgram(machine, 'systemd-analyze', ':')
  makeCertificates(machine)
  putBuiltApp(machine)
  machine.write('checkout/client-secret', SECRET, 0o600)
  const deployment: Deployment = {
    machine,
    service,
    async run(section, change = (command) => command) {
      const commands = commandsOf().filter((command) => command.section === section)
      if (commands.length === 0) throw new Error(`docs/deploy.md has no section "${section}"`)
      let said = ''
      for (const { text } of commands) {
        const command = change(text)
        if (command !== undefined) said += await machine.run(command)
      }
      return said
    },
    systemctl: (...words) => machine.run(`systemctl ${words.join(' ')}`),
    output: (unit) => units.output(unit),
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

/** In place of "Build": the app that the run has built already, with the packages of this folder. */
function putBuiltApp({ at }: Machine): void {
  mkdirSync(at('srv/plimsoll/current'), { recursive: true })
  for (const name of ['dist', 'node_modules', 'package.json', 'tools'])
    symlinkSync(resolve(name), at(`srv/plimsoll/current/${name}`))
}
