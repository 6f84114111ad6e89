// `npm run deploy [-- --installed]`: brings docs/deploy.md up, uses it in a browser, and removes it.
import { parseArgs } from 'node:util'
import { findProgram } from '../../test/kit/program.ts'
import { makeCertificates, putRedisCertificates } from './certificates.ts'
import { commandsOf, STAND_INS } from './document.ts'
import { type Deployment, Flow } from './flow.ts'
import { putInstalledPackages } from './installed.ts'
import { openMachine, putNginx, putProgram, putStandIns } from './machine.ts'
import { Report } from './report.ts'
import { newService } from './service.ts'
import { Units } from './units.ts'

const NEEDED: Record<string, string> = {
  nginx: 'nginx',
  'redis-server': 'redis-server',
  'redis-cli': 'redis-tools',
  openssl: 'openssl',
  curl: 'curl',
}
/** If one is missing, its commands are skipped, and the report says so. */
const EXAMINERS: Record<string, string> = { caddy: 'caddy', 'systemd-analyze': 'systemd' }

/** @returns the exit code: 0 if every command and every step succeeded */
export async function deploy(args = process.argv.slice(2)): Promise<number> {
  const { values } = parseArgs({ args, options: { installed: { type: 'boolean', default: false } } })
  const missing = Object.keys(NEEDED).filter((program) => findProgram([program]) === undefined)
  if (missing.length > 0) {
    process.stderr.write(
      `NOT RUN: ${missing.join(', ')} missing: apt-get install ${missing.map((name) => NEEDED[name]).join(' ')}\n`,
    )
    return 1
  }
  const report = new Report()
  const service = await newService()
  const machine = await openMachine({
    'https://tasks.example.com/api': service.url,
    'the-client-id': service.clientId,
  })
  const units = new Units(machine)
  const parts = { machine, units, service, report }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const endAtOnce = () => {
    units.endAtOnce()
    service.endAtOnce()
    machine.remove()
  }
  process.once('exit', endAtOnce)
  try {
    await prepare(parts, values.installed)
    const deployment = { ...parts, fingerprint: makeCertificates(machine) }
    await runDocument(deployment)
  } catch (error) {
    report.fail((error as Error).message)
    for (const name of ['plimsoll@sqlite', 'redis-server@plimsoll', 'plimsoll@1', 'plimsoll@2', 'nginx'])
      report.write(`--- ${name}\n${units.output(name).slice(-1500)}`)
  } finally {
    await units.close()
    await service.stop()
    machine.remove()
  }
  report.end()
  return report.faults === 0 ? 0 : 1
}

type Parts = Omit<Deployment, 'fingerprint'>

async function prepare({ machine, units, service, report }: Parts, isInstalled: boolean): Promise<void> {
  putStandIns(machine, await units.listen())
  for (const [program, what] of Object.entries(STAND_INS)) report.write(`STAND-IN for ${program}: ${what}`)
  for (const [program, apt] of Object.entries(EXAMINERS))
    if (findProgram([program]) === undefined) {
      putProgram(machine, program, ':')
      report.write(`NOT RUN: ${program} is missing: apt-get install ${apt}`)
    }
  if (isInstalled) {
    putInstalledPackages(machine)
    report.write(
      'STAND-IN for npm ci: the packages of node_modules are copied, for production those of "dependencies" alone',
    )
  }
  putNginx(machine)
  machine.write('checkout/client-secret', `${service.clientSecret}\n`, 0o600)
}

/** These run first: one machine with SQLite, on which nothing of Redis is there. */
const FIRST = ['Build', 'Settings', 'One machine, without Redis', 'Backup of SQLite', 'Restore of SQLite']

/** Runs every command, and the browser's steps after or during the commands of a section. */
async function runDocument(deployment: Deployment): Promise<void> {
  const { machine, report, service, units } = deployment
  const commands = commandsOf()
  const flow = new Flow(deployment)
  const run = async (section: string): Promise<void> => {
    for (const { text } of commands.filter((command) => command.section === section)) {
      report.command(text)
      await machine.run(text)
    }
  }
  const around: Record<string, () => Promise<void>> = {
    async Settings() {
      await service.start(machine)
      await run('Settings')
    },
    async 'Restore of SQLite'() {
      await run('Restore of SQLite')
      await report.step('one machine with SQLite answers over https, and no start warned', async () => {
        await flow.isServed()
        if (/warning/i.test(units.output('plimsoll@sqlite'))) throw new Error(units.output('plimsoll@sqlite'))
      })
      await machine.run('systemctl disable --now plimsoll@sqlite')
      putRedisCertificates(machine)
    },
    async nginx() {
      await run('nginx')
      await flow.person.open()
      await flow.use()
      await report.step('a stream that is cut is back within 3 s', () => flow.streamIsBack())
    },
    'Restart one after the other': () => flow.isLiveThrough(() => run('Restart one after the other')),
    async 'Restore of Redis'() {
      await run('Restore of Redis')
      await report.step('after the restore the person is signed in', () => flow.person.isSignedIn())
    },
    async Secrets() {
      await run('Secrets')
      await report.step('after the change of the passwords the person is signed in', () =>
        flow.person.isSignedIn(),
      )
    },
    async Uninstall() {
      await report.step('a sign-out is seen by both instances', () => flow.signOut())
      await run('Uninstall')
    },
  }
  try {
    for (const section of new Set([...FIRST, ...commands.map((command) => command.section)])) {
      report.write(section)
      await (around[section] ?? (() => run(section)))()
    }
    const known = commands.map((command) => command.section)
    for (const section of Object.keys(around))
      if (!known.includes(section)) report.fail(`docs/deploy.md has no section "${section}"`)
    if (report.commands !== commands.length)
      report.fail(`${commands.length - report.commands} commands were not run`)
    const late = units.output('plimsoll@1') + units.output('plimsoll@2')
    if (late.includes('did not end within')) report.fail('an instance did not end in time')
  } finally {
    await flow.person.close()
  }
}
