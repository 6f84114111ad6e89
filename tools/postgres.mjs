// Starts a PostgreSQL on 127.0.0.1:5432 with its data in `data/postgres`; `npm run postgres` runs it.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { resolve } from 'node:path'

const FOLDER = resolve('data/postgres')
const DEBIAN = '/usr/lib/postgresql'

function findPrograms() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env.POSTGRES_BIN ?? '', ...versions.map((version) => `${DEBIAN}/${version}/bin`)]
  return folders.find((folder) => existsSync(`${folder}/postgres`))
}

/** The server refuses to run as root. */
function otherUser() {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

const programs = findPrograms()
if (programs === undefined) {
  console.error(
    'PostgreSQL is missing: apt-get install postgresql, or set POSTGRES_BIN to the folder of its programs',
  )
  process.exit(1)
}
const user = otherUser()
const options = { ...user, cwd: '/', stdio: 'inherit' }
if (!existsSync(`${FOLDER}/PG_VERSION`)) {
  mkdirSync(FOLDER, { recursive: true })
  if (user) chownSync(FOLDER, user.uid, user.gid)
  const made = ['-D', FOLDER, '-U', 'plimsoll', '--auth', 'trust', '-E', 'UTF8', '--no-locale']
  execFileSync(`${programs}/initdb`, made, options)
}
const server = spawn(
  `${programs}/postgres`,
  ['-D', FOLDER, '-c', 'listen_addresses=127.0.0.1', '-k', '', ...process.argv.slice(2)],
  options,
)
console.log('PLIMSOLL_STORE=postgres://plimsoll@127.0.0.1:5432/postgres')
// A terminal has sent it the signal too, and SIGINT ends it without waiting for its connections.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill('SIGINT'))
server.once('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal]
})
