/** The nginx of docs/deploy.md, in front of one app and with ports of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endLater } from '../kit/cleanup.ts'
import { freePort } from '../kit/app-process.ts'
import { findProgram } from '../kit/program.ts'
import { until } from '../kit/until.ts'
import { selfSigned } from '../kit/certificate.ts'

const DAY_MS = 86_400_000

export const findNginx = (): string | undefined => findProgram(['nginx'])

/** @param port its own, for https @param appPort of the app behind it */
export async function openNginx(port: number, appPort: number): Promise<void> {
  const program = findNginx()
  if (program === undefined) throw new Error('No nginx: `apt-get install nginx-light`')
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-nginx-'))
  const { key, cert } = selfSigned('localhost', Date.now() + 10 * DAY_MS)
  writeFileSync(`${folder}/key.pem`, key)
  writeFileSync(`${folder}/fullchain.pem`, cert)
  const documented = readFileSync('docs/deploy/nginx.conf', 'utf8')
    .replace(/server 127\.0\.0\.1:3001/, `server 127.0.0.1:${appPort}`)
    .replace(/^.*server 127\.0\.0\.1:3002.*$/m, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('plimsoll.example.com', 'localhost')
    .replaceAll('/etc/plimsoll/tls', folder)
    .replaceAll('/var/log/nginx', folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  writeFileSync(
    `${folder}/nginx.conf`,
    `daemon off;\nmaster_process off;\npid ${folder}/pid;\nevents {}\nhttp {\n${temporary}\n${documented}}\n`,
  )
  const child = spawn(program, ['-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  endLater(async () => {
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  await until(() => child.exitCode !== null || isOpen(port))
  if (child.exitCode !== null) throw new Error(said)
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
