// Brings docs/deploy.md up by its own commands, uses it in a browser, and removes it. Each test continues from
// the one before.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { SECRET } from '../../test/kit/app.ts'
import { openBrowser } from '../../test/kit/cleanup.ts'
import { type Deployment, openDeployment } from '../../test/kit/deployment.ts'
import { isLive, isShown, signInAtService, signOut } from '../../test/kit/page.ts'
import { findProgram } from '../../test/kit/program.ts'
import { until } from '../../test/kit/until.ts'
import { commandsOf, STAND_INS } from './document.ts'
import { putInstalledPackages, putNginx, putProgram, putRedisCertificates } from './machine.ts'

const NEEDED = ['nginx', 'redis-server', 'redis-cli', 'openssl', 'curl']
/** If one is missing, its commands are skipped. */
const EXAMINERS = ['caddy', 'systemd-analyze']
const UNITS = ['plimsoll@sqlite', 'redis-server@plimsoll', 'plimsoll@1', 'plimsoll@2', 'nginx']
/** nginx leaves an instance alone for so long after a refusal. */
const REFUSED_MS = 2100

let deployment: Deployment
let page: Page
const done = new Set<string>()

beforeAll(async () => {
  const missing = NEEDED.filter((program) => findProgram([program]) === undefined)
  if (missing.length > 0) throw new Error(`NOT RUN: install ${missing.join(', ')}`)
  deployment = await openDeployment({}, false)
  const { machine } = deployment
  for (const [program, what] of Object.entries(STAND_INS)) console.log(`STAND-IN for ${program}: ${what}`)
  for (const program of EXAMINERS.filter((name) => findProgram([name]) === undefined)) {
    putProgram(machine, program, ':')
    console.log(`NOT RUN: ${program} is missing`)
  }
  if (process.env['INSTALLED'] === 'yes') {
    putInstalledPackages(machine)
    console.log('STAND-IN for npm ci: the packages of node_modules, without those for development alone')
  }
  putNginx(machine)
})
afterAll(() => deployment?.close())
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const name of UNITS) console.error(`--- ${name}\n${deployment.units.output(name).slice(-1500)}`)
})

async function run(...sections: string[]): Promise<void> {
  for (const section of sections) {
    done.add(section)
    for (const command of commandsOf()) if (command.section === section) console.log(`  $ ${command.text}`)
    await deployment.run(section)
  }
}

async function signIn(): Promise<void> {
  const browser = await openBrowser()
  const context = await browser.newContext({ locale: 'en-GB', ignoreHTTPSErrors: true })
  page = await context.newPage()
  await page.goto(deployment.machine.localize('https://plimsoll.example.com/'))
  await signInAtService(page, 'Ada')
}

async function isSignedIn(): Promise<boolean> {
  await page.reload()
  await isShown(page)
  return page.locator('#account-button').isVisible()
}

/** The status of a request of the page; 0 without an answer. @param spend requests that it may cost */
const ask = (path: string, spend = '0'): Promise<number> =>
  page.evaluate(
    ([url, cost]) =>
      fetch(url, { headers: { 'X-CSRF': '1', 'X-Plimsoll-Spend': cost } }).then(
        ({ status }) => status,
        () => 0,
      ),
    [path, spend] as const,
  )

async function areReady(): Promise<void> {
  for (const port of ['9471', '9472'] as const) await deployment.ready(port)
  await wait(REFUSED_MS)
}

test('one machine with SQLite: https answers, and a person signs in', async () => {
  await run('Build', 'Settings', 'One machine, without Redis')
  await signIn()
  expect(await isSignedIn()).toBe(true)
})

test('a backup of SQLite is restored, the person is signed in, and no start warned', async () => {
  await run('Backup of SQLite', 'Restore of SQLite')
  expect(await isSignedIn()).toBe(true)
  expect(deployment.units.output('plimsoll@sqlite')).not.toMatch(/warning/i)
})

test('two instances over Redis: a person signs in', async () => {
  await page.context().close()
  await deployment.systemctl('disable', '--now', 'plimsoll@sqlite')
  putRedisCertificates(deployment.machine)
  await run('Redis', 'The instances', 'nginx')
  await signIn()
  expect(await isSignedIn()).toBe(true)
})

test('a connection over http is sent to https, without its query', async () => {
  const { machine } = deployment
  const url = `http://127.0.0.1:${machine.port('80')}/callback?code=secret`
  const { status, headers } = await fetch(url, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([
    301,
    machine.localize('https://plimsoll.example.com/callback'),
  ])
})

test('an instance that is killed while it reads loses the answer, and nothing is sent twice', async () => {
  const { service, units } = deployment
  const before = service.reads()
  service.intercept(() => new Promise(() => {}))
  const asked = ask('/api/organizations', '1')
  await until(() => service.reads() > before)
  // nginx chooses the instance, and the other one could take the repeated request.
  units.kill('plimsoll@1')
  if ((await Promise.race([asked, wait(1500)])) === undefined) {
    await areReady()
    units.kill('plimsoll@2')
  }
  expect([await asked, service.reads() - before]).toEqual([502, 1])
  service.intercept(undefined)
  await areReady()
  expect(await isSignedIn()).toBe(true)
})

test('an instance that is stopped costs no request and no error', async () => {
  await deployment.systemctl('stop', 'plimsoll@1')
  const before = deployment.service.reads()
  const statuses = [await ask('/api/organizations', '1'), await ask('/bff/quota'), await ask('/bff/quota')]
  expect([...statuses, deployment.service.reads() - before]).toEqual([200, 200, 200, 1])
  await deployment.systemctl('start', 'plimsoll@1')
  await areReady()
})

test('a restart of one after the other refuses no request and sends none', async () => {
  await isLive(page)
  const before = deployment.service.reads()
  const statuses = new Set<number>()
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) statuses.add(await ask('/bff/quota'))
  })()
  await run('Restart one after the other')
  over.abort()
  await asking
  expect([...statuses, deployment.service.reads() - before]).toEqual([200, 0])
  await isLive(page)
})

const LATER = ['Upgrade, and going back', 'Backup of Redis', 'Restore of Redis', 'Secrets']
test.each(LATER)('%s: the person is signed in', async (section) => {
  await run(section)
  expect(await isSignedIn()).toBe(true)
})

test('no code and no secret is in a log of nginx or of an instance', () => {
  const { machine, units } = deployment
  const files = ['etc/nginx/error.log', 'var/log/nginx/plimsoll.log', 'var/log/nginx/plimsoll-error.log']
  const logs = files
    .map((file) => readFileSync(machine.at(file), 'utf8'))
    .concat(UNITS.map((name) => units.output(name)))
  const text = logs.join('\n')
  expect(text).toContain('/callback')
  const password = readFileSync(machine.at('etc/plimsoll/redis-password'), 'utf8').trim()
  expect(['code=', 'state=', SECRET, password].filter((secret) => text.includes(secret))).toEqual([])
})

test('after a sign-out and the uninstall nothing is left, and every command was run', async () => {
  await signOut(page)
  await page.getByText('You are signed out').waitFor()
  await run('Caddy in place of nginx', 'Containers', 'Uninstall')
  const left = ['etc', 'srv', 'usr', 'var/lib', 'var/backups'].flatMap((folder) =>
    readdirSync(deployment.machine.at(folder), { encoding: 'utf8', recursive: true }),
  )
  expect(left.filter((file) => /plimsoll|redis-operator|backup/.test(file))).toEqual([])
  expect(commandsOf().filter(({ section }) => !done.has(section))).toEqual([])
})
