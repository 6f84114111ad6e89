// docs/deploy.md: `npm run deploy` can run every command, and every file exists and is used.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSettings } from '../src/serve/settings/settings.ts'
import { commandsOf, copiedAtBuild, DOCUMENT } from './kit/deploy-document.ts'

const FOLDER = 'docs/deploy'
const document = readFileSync(DOCUMENT, 'utf8')
/** The programs of a machine that is prepared as the document requires. */
const PROGRAMS = ['systemctl', 'useradd', 'userdel', 'docker'].concat(
  ['npm', 'node', 'nginx', 'caddy', 'systemd-analyze', 'curl', 'openssl'],
  ['runuser', '/usr/local/sbin/sqlite-backup'],
  ['install', 'cp', 'mv', 'rm', 'ln', 'printf', 'sed', 'sleep', 'until', 'set'],
)
const read = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8')

/** The settings of a file, with the secret that it refers to. */
const settingsIn = (text: string) => {
  const pairs = [...text.matchAll(/^\s*(PLIMSOLL_\w+)[=:] ?["']?([^"'\n]*?)["']?$/gm)].map(
    ([, name, value]) => [name, value],
  )
  return readSettings(
    { PLIMSOLL_CLIENT_SECRET_FILE: 'client-secret', ...Object.fromEntries(pairs) },
    () => 'a-secret',
  )
}

test('each command of the document begins with a program that such a machine has', () => {
  const commands = commandsOf()
  expect(commands.length).toBeGreaterThan(50)
  expect(commands.filter(({ text }) => !PROGRAMS.includes(text.split(' ')[0] ?? ''))).toEqual([])
})

test('a block in another language is refused, because nobody would run it', () => {
  expect(() => commandsOf('## A\n```console\nreboot\n```\n')).toThrow('"console"')
  expect(commandsOf('## 1. A\n```sh\nls\n```\n')).toEqual([{ section: 'A', text: 'ls' }])
})

test('the document links every file of its folder, and each file that it links exists', () => {
  const linked = [...document.matchAll(/\]\((deploy\/[^)]+)\)/g)].map(([, file]) =>
    file?.slice('deploy/'.length),
  )
  expect(linked.filter((file) => !existsSync(`${FOLDER}/${file}`))).toEqual([])
  expect(readdirSync(FOLDER).filter((file) => !document.includes(file) && !file.endsWith('ignore'))).toEqual(
    [],
  )
})

test('the settings of the environment file and of the compose file are read without an error', () => {
  expect(settingsIn(read('plimsoll.env'))).toMatchObject({ trustProxy: 1, store: { kind: 'postgres' } })
  expect(settingsIn(read('compose.yaml'))).toMatchObject({ trustProxy: 1, store: { kind: 'postgres' } })
})

test('neither git nor the image takes the client secret, where the document puts it', () => {
  const files = ['client-secret', 'docs/deploy/client-secret']
  const ignored = execFileSync('git', ['check-ignore', '--no-index', ...files], { encoding: 'utf8' })
  expect(ignored.trim().split('\n')).toEqual(files)
  expect(read('Dockerfile.dockerignore').split('\n')).toContain('**/client-secret')
})

test('the image is built by the commands of the document', () => {
  const documented = commandsOf()
    .filter(({ section }) => section === 'Build')
    .map(({ text }) => text)
  const runs = [...read('Dockerfile').matchAll(/^RUN (npm .*)$/gm)].map(([, text]) =>
    text?.replaceAll(/ --no-\w+/g, ''),
  )
  expect(runs).toEqual(
    documented.filter((text) => text.startsWith('npm')).map((text) => text.replace(/ --prefix .*/, '')),
  )
})

test('the image has the files that the document copies', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?:--from=build \/build\/)?(.+) \S+$/gm)].flatMap(
    ([, names = '']) => names.split(' '),
  )
  expect(copied.filter((name) => name !== '.').toSorted()).toEqual(copiedAtBuild().toSorted())
})

test('nginx logs no query, also where it sends a request to https', () => {
  const servers = read('nginx.conf').split('\nserver {').slice(1)
  expect(servers).toHaveLength(2)
  for (const server of servers) expect(server).toContain('access_log /var/log/nginx/plimsoll.log plimsoll;')
  expect(read('nginx.conf')).toMatch(/log_format plimsoll '(?!.*\$request(_uri)?\b)/)
})

test('a request goes to another instance only if not one byte of it was sent', () => {
  expect(read('nginx.conf')).toContain('proxy_next_upstream off;')
  expect(read('nginx.conf')).toMatch(
    /location @not_sent \{\s+if \(\$upstream_bytes_sent != 0\) \{\s+return 502;/,
  )
  expect(read('Caddyfile')).toMatch(/lb_retry_match \{\s+method NONE\s+\}[^]*keepalive off/)
})
