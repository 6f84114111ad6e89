// A folder that stands for the machine of docs/deploy.md: its paths, ports and names replace the document's.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findProgram } from '../../test/kit/program.ts'
import { freePort } from '../../test/kit/app-process.ts'

const PORTS = ['443', '80', '3001', '3002', '9471', '9472', '6380'] as const
export type Port = (typeof PORTS)[number]
const PORT_IN_TEXT = new RegExp(`(?<=:|=|port |-p )(${PORTS.join('|')})(?!\\d)`, 'g')
const COMMAND_MS = 90_000
/** Packages come over the network. */
const INSTALL_MS = 900_000

export interface Machine {
  folder: string
  /** The user `redis`, if root runs this and that user exists. Otherwise Redis runs as the present user. */
  redisUser: { uid: number; gid: number } | undefined
  /** A copy of this repository, in which the commands run. */
  checkout: string
  port: (documented: Port) => number
  /** The path here of a file of the document. */
  at: (path: string) => string
  write: (path: string, text: string, mode?: number) => void
  /** Replaces the document's names by those of this machine. */
  localize: (text: string) => string
  /** @returns the output @throws Error with the output if the command fails */
  run: (command: string) => Promise<string>
  remove: () => void
}

/** @param names of the document, with the replacement for each */
export async function openMachine(names: Record<string, string>): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-deploy-'))
  const ports = new Map<string, number>()
  for (const port of PORTS) ports.set(port, await freePort())
  // Other users have to reach their files in it.
  chmodSync(folder, 0o711)
  const redisUser = findUser('redis')
  const at = (path: string) => join(folder, path)
  const localize = (text: string) =>
    Object.entries(names)
      .reduce((left, [name, here]) => left.replaceAll(name, here), text)
      .replaceAll('https://plimsoll.example.com', `https://localhost:${ports.get('443')}`)
      .replaceAll('plimsoll.example.com', 'localhost')
      .replaceAll(/(?<![\w.$}])\/(?=(etc|srv|var|usr\/local)\/)/g, `${folder}/`)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll(/ -o redis -g redis/g, (owner) => (redisUser === undefined ? '' : owner))
      .replaceAll(/listen (443|80)\b/g, 'listen 127.0.0.1:$1')
      .replaceAll(PORT_IN_TEXT, (port) => `${ports.get(port)}`)
  const machine: Machine = {
    folder,
    redisUser,
    checkout: at('checkout'),
    port: (documented) => ports.get(documented) ?? 0,
    at,
    write(path, text, mode = 0o644) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), text, { mode })
    },
    localize,
    run: (command) => runShell(localize(command), machine),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  copyRepository(machine)
  for (const path of [
    'etc/nginx/conf.d',
    'etc/redis',
    'etc/systemd/system',
    'usr/local/sbin',
    'var/lib/redis',
    'var/log/nginx',
    'srv',
    'bin',
  ])
    mkdirSync(at(path), { recursive: true })
  putCertificates(machine)
  // As Debian's package does.
  for (const path of ['etc/redis', 'var/lib/redis'])
    if (redisUser !== undefined) chownSync(at(path), redisUser.uid, redisUser.gid)
  return machine
}

function findUser(name: string): Machine['redisUser'] {
  if (process.getuid?.() !== 0) return undefined
  const [, uid, gid] =
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** Copies all files that git tracks or does not ignore, with the names of this machine. */
function copyRepository({ checkout, localize }: Machine): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter(Boolean)) {
    const copy = join(checkout, file)
    cpSync(file, copy)
    if (file.startsWith('docs/deploy/')) writeFileSync(copy, localize(readFileSync(copy, 'utf8')))
  }
}

/** Replaces a program of the machine by a shell script. */
export function putProgram({ at }: Machine, name: string, body: string): void {
  writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
}

/** The certificates of an operator, for localhost. The certificate is its own authority. */
function putCertificates({ at }: Machine): void {
  const tls = at('etc/plimsoll/tls')
  mkdirSync(tls, { recursive: true })
  const name = '-subj /CN=localhost -addext subjectAltName=DNS:localhost'
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
  const files = ['-keyout', `${tls}/key.pem`, '-out', `${tls}/fullchain.pem`]
  execFileSync('openssl', [...`req -x509 -days 30 ${newKey} ${name}`.split(' '), ...files], { stdio: 'pipe' })
  copyFileSync(`${tls}/fullchain.pem`, at('authority.pem'))
}

/** What only Redis needs: for SQLite none of these files is there. */
export function putRedisCertificates({ at }: Machine): void {
  const tls = at('etc/plimsoll/tls')
  copyFileSync(at('authority.pem'), `${tls}/authority.pem`)
  copyFileSync(`${tls}/fullchain.pem`, `${tls}/redis.pem`)
  copyFileSync(`${tls}/key.pem`, `${tls}/redis-key.pem`)
}

/** Replaces `npm ci`, which needs minutes: links all packages, and copies those of "dependencies" alone. */
export function putInstalledPackages(machine: Machine): void {
  const here = process.cwd()
  putProgram(
    machine,
    'npm',
    `case "$*" in
ci) exec ln -s ${here}/node_modules node_modules ;;
"ci --omit=dev --prefix "*) cd ${here}
  ${findProgram(['npm'])} ls --omit=dev --all --parseable | sed -n "s|^$PWD/||p" | xargs cp -r --parents -t "$4" ;;
*) exec ${findProgram(['npm'])} "$@" ;;
esac`,
  )
}

/** Starts nginx in the folder, with a configuration that includes conf.d, as Debian's does. */
export function putNginx(machine: Machine): void {
  const { at, folder } = machine
  const [conf, log] = [at('etc/nginx/nginx.conf'), at('etc/nginx/error.log')]
  putProgram(machine, 'nginx', `exec ${findProgram(['nginx'])} -p ${folder} -e ${log} -c ${conf} "$@"`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${at(`var/${name}`)};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  machine.write(
    'etc/nginx/nginx.conf',
    `${user} worker_processes 1; pid ${at('nginx.pid')}; error_log ${log};
events {} http { access_log off; ${paths.join(' ')} include ${at('etc/nginx/conf.d')}/*.conf; }\n`,
  )
}

/** The environment of a command, without anything of the tests. */
export function environmentOf({ at }: Machine): NodeJS.ProcessEnv {
  const { NODE_ENV: _, PATH = '', ...env } = process.env
  const own = Object.entries(env).filter(([name]) => !/^(PLIMSOLL_|VITE)/.test(name))
  return {
    ...Object.fromEntries(own),
    PATH: `${at('bin')}:${PATH}`,
    // In place of the public authorities that a machine knows.
    CURL_CA_BUNDLE: at('authority.pem'),
    NODE_EXTRA_CA_CERTS: at('authority.pem'),
    // npm takes packages from its cache without asking for them again.
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
}

function runShell(command: string, machine: Machine): Promise<string> {
  const child = spawn('sh', ['-euc', command], {
    cwd: machine.checkout,
    env: environmentOf(machine),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const late = setTimeout(() => endGroup(child), command.startsWith('npm ') ? INSTALL_MS : COMMAND_MS)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearTimeout(late)
      if (code === 0) resolve(said)
      else reject(new Error(`${command}\n${said}ended with ${code ?? 'a signal, since it took too long'}`))
    })
  })
}

/** Ends a command and all processes that it has started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}
