// A month of an organization by its rows: admission and reservation, a page of the ledger, the quota.
import { entryId, fillLedger as fillSqlite } from '../_fill-sqlite.mjs'
import { load } from '../_load.mjs'
import { fillLedger as fillRedis } from './fill-redis.mjs'
import { openStore } from '../speed/open-store.mjs'
import { timesOf } from './growth.mjs'
import { openStores } from './stores.mjs'

const { createMemory } = await load('bff/core/context.ts')
const { EventStreams } = await load('bff/events/streams.ts')
const { OpenedRecords } = await load('bff/session/cache.ts')
const { admissionOf } = await load('bff/limits/admission.ts')
const { changeOrganizationNote, changeTokenNote } = await load('bff/limits/note.ts')
const { readSnapshot } = await load('bff/quota/snapshot.ts')
const { monthStartMs } = await load('bff/limits/month.ts')
const { fold } = await load('contract/gauge.ts')

export const ROWS = [10, 1000, 100_000, 1_000_000]
/** The last day of a month of 31 days, which began in the first zone at 10:00 UTC: the most to count. */
const NOW_MS = Date.UTC(2026, 9, 31, 9)
const START_MS = Date.UTC(2026, 8, 30, 10)
/** Just after the start of a quarter of an hour, most of which is counted by its rows. */
const READING_MS = NOW_MS - 15 * 60_000 + 60_000
const ORGANIZATION = '7'
const TOKEN = 'token'.padEnd(22, 'x')
const config = { reservePerson: 10, reserveSignIn: 2 }

const contextOf = (store) => ({
  store,
  config,
  memory: createMemory({ openedRecords: new OpenedRecords(), streams: new EventStreams() }),
  now: () => NOW_MS,
  measure() {},
  log() {},
})

const owner = { token: TOKEN, organization: ORGANIZATION, session: 'session' }
const asked = { owner, requestClass: 'read', initiator: 'person' }
const credential = {
  method: 'oauth',
  organizationId: ORGANIZATION,
  tokens: { accessToken: 'x', staleAtMs: NOW_MS + 1e6, expiresAtMs: NOW_MS + 1e6 },
}

async function addNotes(context) {
  const servedAtSeconds = NOW_MS / 1000
  const answer = { limit: 600, remaining: 599, resetAtSeconds: servedAtSeconds + 60, servedAtSeconds }
  const gauges = fold({}, [{ class: 'read', ...answer, assumed: true, notes: [] }])
  await changeTokenNote(context, TOKEN, () => ({ gauges, pauses: {} }))
  await changeOrganizationNote(context, ORGANIZATION, () => ({ limits: { read: 600 } }))
}

const entry = {
  organization: ORGANIZATION,
  token: TOKEN,
  kind: 'api.read',
  method: 'GET',
  path: '/organizations/{id}',
  initiator: 'person',
  owner: 'browser 1',
  atMs: NOW_MS,
}
let requests = 0
const reserve = {
  async run({ store, context }) {
    const id = `n${(requests += 1)}`
    await store.reserve({ ...entry, id }, admissionOf(context, asked, NOW_MS))
    return id
  },
  after: ({ store }, id) => store.settle(id, { outcome: 'settled', status: 200 }, NOW_MS),
}
/** Records a request of the organization as another process, so that this one has to count again. */
const afterOther = ({ run, ...others }) => ({
  async before({ other }) {
    const id = `o${(requests += 1)}`
    await other.reserve({ ...entry, token: 'other', id })
    await other.settle(id, { outcome: 'settled', status: 200 }, NOW_MS)
  },
  run,
  ...others,
})
const settle = {
  async run({ store, ids }) {
    await store.settle(ids.pop(), { outcome: 'settled', status: 200 }, NOW_MS)
  },
}
const addReserved = async ({ store, ids }) => {
  for (let nth = 0; nth < 600; nth += 1) {
    ids.push(`s${nth}`)
    await store.reserve({ ...entry, token: `${nth}`, id: `s${nth}` })
  }
}
const addReading = ({ store }) =>
  store.addReading(ORGANIZATION, {
    id: 'reading',
    count: 1e6,
    readAtMs: READING_MS,
    inFlight: 0,
    monthWasReset: false,
    owner: 'browser 1',
  })

const pageBefore = (before) => ({
  run: ({ store, context }) => {
    const sinceMs = monthStartMs(context, { month_zones: ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12'] })
    return store.listEntries(ORGANIZATION, { sinceMs, most: 51, ...before })
  },
})
const middlePage = { run: (one) => pageBefore({ before: entryId(one.size / 2) }).run(one) }
const quota = {
  run: ({ context }) => readSnapshot(context, { id: 'session', record: { credential, proven: true } }),
}
const days = { run: ({ store }) => store.countByDay(ORGANIZATION, START_MS) }

/** The times of each operation by rows; later operations also see the rows of the earlier ones. */
async function measure(stores) {
  for (const one of stores)
    Object.assign(one, { context: contextOf(one.store), other: await openStore(one.url), ids: [] })
  for (const { context } of stores) await addNotes(context)
  const rows = []
  const add = async (name, operation) => rows.push({ name, times: await timesOf(operation, stores) })
  await add('page of the ledger, the first', pageBefore({}))
  await add('page of the ledger, in the middle', middlePage)
  await add('days of the ledger', days)
  await add('snapshot of the quota', quota)
  await add('admission and reservation', reserve)
  await add('admission after another process', afterOther(reserve))
  for (const one of stores) await addReserved(one)
  await add('settlement', settle)
  for (const one of stores) await addReading(one)
  await add('snapshot, with a reading', quota)
  await add('admission and reservation, with a reading', reserve)
  await add('admission after another process, with a reading', afterOther(reserve))
  for (const { other } of stores) await other.close()
  return rows
}

export async function measureLedger(folder, sizes = ROWS) {
  const rowsOf = (rows) => ({ organization: ORGANIZATION, rows, startMs: START_MS, endMs: NOW_MS })
  const { stores, close } = await openStores(folder, {
    name: 'ledger',
    sizes,
    fill: { SQLite: fillSqlite, Redis: fillRedis },
    rowsOf,
  })
  const results = {}
  for (const [name, ofSizes] of Object.entries(stores)) results[name] = await measure(ofSizes)
  await close()
  return results
}
