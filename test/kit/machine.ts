// A folder that stands for the machine of docs/deploy.md: its paths, ports and names replace the document's.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './app-process.ts'
import { selfSigned } from './certificate.ts'
import { findProgram } from './program.ts'

const PORTS = ['443', '80', '3001', '3002', '9471', '9472'] as const
export type Port = (typeof PORTS)[number]
const PORT_IN_TEXT = new RegExp(`(?<=:|=|port |-p )(${PORTS.join('|')})(?!\\d)`, 'g')
const COMMAND_MS = 90_000
const FOLDERS = ['etc/nginx/conf.d', 'etc/systemd/system', 'etc/plimsoll/tls', 'usr/local/sbin'].concat([
  'var/log/nginx',
  'srv/plimsoll/current',
  'bin',
  'checkout/docs/deploy',
])

export interface Machine {
  folder: string
  port: (documented: Port) => number
  /** The path here of a file of the document. */
  at: (path: string) => string
  /** Replaces the document's names by those of this machine. */
  localize: (text: string) => string
  /** The environment of a command, without anything of the tests. */
  env: NodeJS.ProcessEnv
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
  const at = (path: string) => join(folder, path)
  const localize = (text: string) =>
    Object.entries(names)
      .reduce((left, [name, here]) => left.replaceAll(name, here), text)
      .replaceAll('https://plimsoll.example.com', `https://localhost:${ports.get('443')}`)
      .replaceAll('plimsoll.example.com', 'localhost')
      .replaceAll(/(?<![\w.$}])\/(?=(etc|srv|var|usr\/local)\/)/g, `${folder}/`)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll(/listen (443|80)\b/g, 'listen 127.0.0.1:$1')
      .replaceAll(PORT_IN_TEXT, (port) => `${ports.get(port)}`)
  for (const path of FOLDERS) mkdirSync(at(path), { recursive: true })
  for (const file of readdirSync('docs/deploy'))
    writeFileSync(at(`checkout/docs/deploy/${file}`), localize(readFileSync(`docs/deploy/${file}`, 'utf8')))
  putCertificates(at)
  const env = environmentIn(at)
  return {
    folder,
    port: (documented) => ports.get(documented) ?? 0,
    at,
    localize,
    env,
    run: (command) => runShell(localize(command), at('checkout'), env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Replaces a program of the machine by a shell script. */
export function putProgram({ at }: Pick<Machine, 'at'>, name: string, body: string): void {
  writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
}

/** The certificates of an operator, for localhost. The certificate is its own authority. */
function putCertificates(at: Machine['at']): void {
  const tls = at('etc/plimsoll/tls')
  const { key, cert } = selfSigned('localhost', Date.now() + 30 * 86_400_000)
  writeFileSync(`${tls}/key.pem`, key, { mode: 0o600 })
  for (const path of [`${tls}/fullchain.pem`, at('authority.pem')]) writeFileSync(path, cert)
}

/** Starts nginx in the folder, with a configuration that includes conf.d, as Debian's does. */
export function putNginx({ at, folder }: Machine): void {
  const [conf, log] = [at('etc/nginx/nginx.conf'), at('etc/nginx/error.log')]
  putProgram({ at }, 'nginx', `exec ${findProgram(['nginx'])} -p ${folder} -e ${log} -c ${conf} "$@"`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${at(`var/${name}`)};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    conf,
    `${user} worker_processes 1; pid ${at('nginx.pid')}; error_log ${log};
events {} http { access_log off; ${paths.join(' ')} include ${at('etc/nginx/conf.d')}/*.conf; }\n`,
  )
}

function environmentIn(at: Machine['at']): NodeJS.ProcessEnv {
  const { NODE_ENV: _, PATH = '', ...env } = process.env
  const own = Object.entries(env).filter(([name]) => !/^(PLIMSOLL_|VITE)/.test(name))
  return {
    ...Object.fromEntries(own),
    PATH: `${at('bin')}:${PATH}`,
    // In place of the public authorities that a machine knows.
    CURL_CA_BUNDLE: at('authority.pem'),
    NODE_EXTRA_CA_CERTS: at('authority.pem'),
  }
}

async function runShell(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const stdio = ['ignore', 'pipe', 'pipe'] satisfies ['ignore', 'pipe', 'pipe']
  const child = spawn('sh', ['-euc', command], { cwd, env, detached: true, stdio })
  // With all processes that it has started.
  const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), COMMAND_MS)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(late)
  if (code !== 0)
    throw new Error(`${command}\n${said}ended with ${code ?? 'a signal, since it took too long'}`)
  return said
}
