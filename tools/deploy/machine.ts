// The copy of this machine that container.sh has started, prepared as docs/deploy.md requires.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { seedFor } from '../../src/sandbox/state/seed.ts'
import { SECRET } from '../../test/kit/app.ts'
import { commandsOf } from '../../test/kit/deploy-document.ts'
import { findProgram } from '../../test/kit/program.ts'
import { CLIENT_ID, openService, type Service } from '../../test/kit/strict-service.ts'

export const ADDRESS = 'https://plimsoll.example.com'
/** Packages come over the network. */
const COMMAND_MS = 900_000
const AUTHORITY = '/etc/plimsoll/authority.pem'
const INSIDE = ['mount', 'uts', 'ipc', 'pid', 'cgroup'].map((name) => `--${name}`)
/** The copy has no network, but npm needs that of this machine. */
const ONLINE = `--net=/proc/${process.env['PLIMSOLL_STARTER']}/ns/net`
/** The programs of the document that do not run here. */
const NOT_RUN = new Set(['docker', ...(findProgram(['caddy']) === undefined ? ['caddy'] : [])])

/** Runs a command as root in the checkout. @returns its output @throws Error with it if the command fails */
export async function run(command: string): Promise<string> {
  const { NODE_ENV: _, ...given } = process.env
  const env = Object.fromEntries(Object.entries(given).filter(([name]) => !/^(PLIMSOLL_|VITE)/.test(name)))
  const network = command.startsWith('npm ci') ? [ONLINE] : []
  const args = ['--target', process.env['PLIMSOLL_MACHINE'] ?? '', ...INSIDE, ...network]
  const said = await promisify(execFile)(
    'nsenter',
    [...args, 'sh', '-euc', `cd '${process.cwd()}'; exec 2>&1; ${command}`],
    { env: { ...env, NODE_EXTRA_CA_CERTS: AUTHORITY }, timeout: COMMAND_MS, maxBuffer: 1e8 },
  ).catch((error: Error & { stdout: string }) => {
    throw new Error(`${command}\n${error.stdout}`, { cause: error })
  })
  return said.stdout
}

const done = new Set<string>()

/** Runs the commands of a section, and prints each. */
export async function runSection(section: string): Promise<void> {
  done.add(section)
  for (const { text } of commandsOf().filter((command) => command.section === section)) {
    const isRun = !NOT_RUN.has(text.split(' ')[0] ?? '')
    console.log(isRun ? `  $ ${text}` : `NOT RUN: ${text}`)
    if (isRun) await run(text)
  }
}

export const commandsLeft = () => commandsOf().filter(({ section }) => !done.has(section))

/** What a unit has written since the start. */
export const outputOf = (unit: string): Promise<string> => run(`journalctl --unit ${unit} --output cat`)

/** Puts everything in its place that the document requires, and starts the service. */
export async function prepare(): Promise<Service> {
  const seed = seedFor({ publicUrl: ADDRESS, clientId: CLIENT_ID, clientSecret: SECRET, random: 'deploy' })
  const service = await openService({ seed })
  const settings = `s|https://tasks.example.com/api|${service.url}|; s|the-client-id|${CLIENT_ID}|`
  await run(`sed -i '${settings}' docs/deploy/plimsoll.env; printf '${SECRET}' > client-secret`)
  const names = 'subjectAltName=DNS:plimsoll.example.com,DNS:localhost'
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out fullchain.pem'
  await run(`mkdir -p /etc/plimsoll/tls; cd /etc/plimsoll/tls
    openssl req -x509 -days 30 -subj /CN=localhost -addext ${names} ${key}
    cp fullchain.pem ${AUTHORITY}; cat fullchain.pem >> /etc/ssl/certs/ca-certificates.crt
    [ -x /usr/bin/node ] || ln -s ${process.execPath} /usr/bin/node
    systemctl start nginx`)
  return service
}
