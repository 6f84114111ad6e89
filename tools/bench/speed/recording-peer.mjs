// The least that keeps the ledger's promise: node:http, undici, this app's store and encryption. It reads a
// request's session, and decrypts it unless it has seen the same bytes before; it records the request, sends
// it, answers, and stores the outcome, for `copies` with the answer, encrypted in the session. An error ends
// the process, because no rejected promise is caught.
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { load } from '../_load.mjs'
import { openStore } from './open-store.mjs'

const [port, target, storeUrl, stored] = process.argv.slice(2)
const { decrypt, encrypt, randomText } = await load('bff/core/encryption.ts')
const { OpenedRecords } = await load('bff/session/cache.ts')
const { accessTokenName, parseSessionCookie } = await load('bff/session/record.ts')

const PREFIX = '/api'
const TYPE = 'application/json'
const store = await openStore(storeUrl)
const pool = new Pool(target, { connections: 64 })
const openedRecords = new OpenedRecords()

const send = (path, accessToken) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${accessToken}`, accept: TYPE }
    const chunks = []
    let status
    pool.dispatch(
      { path, method: 'GET', headers },
      {
        onRequestStart() {},
        onResponseStart: (_, code) => void (status = code),
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString() }),
        onResponseError: (_, error) => reject(error),
      },
    )
  })

/** Records without an admission. @returns the id of the entry */
async function record({ organizationId, tokens }, owner) {
  const atMs = Date.now()
  const id = `${atMs.toString(36)}-${randomText(9)}`
  const token = accessTokenName(tokens.accessToken)
  const what = { kind: 'api.read', method: 'GET', path: '/organizations/{id}', initiator: 'person' }
  await store.reserve({ id, organization: organizationId, token, ...what, owner, atMs })
  return id
}

function open({ id, key }, encrypted) {
  const record = openedRecords.get(id, encrypted, key) ?? decrypt(encrypted, key, id)
  openedRecords.set(id, { encrypted, key, record })
  return record
}

async function storeCopy({ id, key }, { version, ...session }, opened, copy) {
  const seenAtMs = Date.now()
  const record = { ...opened, seenAtMs, copies: { ...opened.copies, ...copy } }
  const encrypted = encrypt(record, key, id)
  if (!(await store.writeSession(id, { ...session, seenAtMs, encrypted }, version, { mayBeLost: true })))
    throw new Error('Another request of the same session has changed it')
  openedRecords.set(id, { encrypted, key, record })
}

const waiting = []

/** Resolves at the end of the event-loop iteration, with all others, so that a reader is woken once. */
function answer(response, status, text) {
  if (waiting.length === 0)
    setImmediate(() => {
      for (const write of waiting.splice(0)) write()
    })
  const headers = { 'Content-Type': TYPE, 'Content-Length': Buffer.byteLength(text) }
  waiting.push(() => response.writeHead(status, headers).end(text))
}

async function passOn({ url, headers }, response) {
  const named = parseSessionCookie(headers.cookie.slice(headers.cookie.indexOf('=') + 1))
  const session = await store.readSession(named.id)
  const opened = open(named, session.encrypted)
  const entry = await record(opened.credential, session.owner)
  const path = url.slice(PREFIX.length)
  const { status, text } = await send(path, opened.credential.tokens.accessToken)
  answer(response, status, text)
  const atMs = Date.now()
  const settled = store.settle(entry, { outcome: 'settled', status }, atMs)
  if (stored === 'copies') void storeCopy(named, session, opened, { [path]: { text, atMs } })
  await settled
}

const server = createServer((request, response) => {
  if (request.url.startsWith(PREFIX)) void passOn(request, response)
  else response.writeHead(204).end()
}).listen(Number(port), '127.0.0.1')

async function stop() {
  server.close()
  server.closeAllConnections()
  await pool.close()
  await store.close()
}
process.once('SIGTERM', () => void stop())
