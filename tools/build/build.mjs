// Builds the app. With --if-changed, only if dist does not match the present sources and packages.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** The inputs of a build: these folders, files of the top level, and the installed packages. */
const READ = ['src', 'public', 'tools/build']
const READ_FILE = /^(index\.html|package(-lock)?\.json|tsconfig\.json|vite\.config\.ts|\.env.*)$/
const INSTALLED = 'node_modules/.package-lock.json'
const WRITTEN = ['dist/server', 'dist/web']
const RECORD = 'dist/build.json'
const LOCK = 'dist/build.lock'
const LOOK_EVERY_MS = 100
/** On a slow machine Rolldown writes how long each plugin took. */
const QUIET = { logLevel: 'warn', build: { rolldownOptions: { checks: { bundlerTimings: false } } } }
const SKIPS = 'Nothing has changed since the last build.'

const filesIn = (folder) =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    : []

/** A hash over names, lengths and contents, in an order that does not depend on the file system. */
function hashOf(files, first = '') {
  const hash = createHash('sha256').update(first)
  for (const file of files.toSorted()) {
    const content = fs.readFileSync(file)
    hash.update(`\0${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function hashRead() {
  const top = fs.readdirSync('.').filter((name) => READ_FILE.test(name))
  const installed = fs.existsSync(INSTALLED) ? [INSTALLED] : []
  return hashOf([...READ.flatMap(filesIn), ...top, ...installed], process.env.NODE_ENV)
}

const hashWritten = () => hashOf(WRITTEN.flatMap(filesIn))

function isCurrent() {
  // An installed app has no sources.
  if (!fs.existsSync('src')) return true
  try {
    const { read, written } = JSON.parse(fs.readFileSync(RECORD, 'utf8'))
    return read === hashRead() && written === hashWritten()
  } catch {
    return false
  }
}

function makeFolder() {
  try {
    fs.mkdirSync('dist', { recursive: true })
    fs.accessSync('dist', fs.constants.W_OK)
  } catch ({ message }) {
    console.error(
      `This user cannot build the app (${message}): run \`npm run build\` as the owner of the folder.`,
    )
    process.exit(1)
  }
}

/** Waits for other builds. @returns the lock, free when it is closed or this process ends in any way */
async function lock() {
  makeFolder()
  const { default: Database } = await import('libsql')
  const database = new Database(LOCK, { timeout: 0 })
  for (let isShown = false; ; isShown = true) {
    try {
      database.exec('BEGIN EXCLUSIVE')
      return database
    } catch (error) {
      if (!error.code?.startsWith('SQLITE_BUSY')) throw error
      if (!isShown) console.log('Waiting for another build.')
      await wait(LOOK_EVERY_MS)
    }
  }
}

async function build() {
  // Removed first, so that an interrupted build does not count.
  fs.rmSync(RECORD, { force: true })
  const read = hashRead()
  const { createBuilder } = await import('vite')
  await (await createBuilder(QUIET)).buildApp()
  // As 20261128T0041-3f9a01c2: a page of an older build loads anew, unless it has the same sources.
  const minute = new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 13)
  const name = `${minute}-${read.slice(0, 8)}`
  fs.writeFileSync(`${RECORD}.new`, JSON.stringify({ name, read, written: hashWritten() }))
  fs.renameSync(`${RECORD}.new`, RECORD)
}

// NODE_ENV decides which copy of React the page has, and importing Vite sets it.
process.env.NODE_ENV ||= 'production'
const isOnlyIfChanged = process.argv.includes('--if-changed')
if (isOnlyIfChanged && isCurrent()) console.log(SKIPS)
else {
  const held = await lock()
  // Another process may have built in the meantime.
  if (isOnlyIfChanged && isCurrent()) console.log(SKIPS)
  else await build()
  held.close()
}
