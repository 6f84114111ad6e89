// The store's time for GET /bff/quota with 1,000 and 400,000 requests of one organization in this month.
import { load } from './_load.mjs'
import { compareReads, NOW_MS, ORGANIZATION } from './_rows.mjs'

const FAR_MS = 4e12
const { monthsAt } = await load('contract/month.ts')
const bounds = monthsAt(NOW_MS).map(({ startMs }) => startMs)
const NOTES = ['limit', 'pause', 'window']

const READS = {
  countByKind: (store) => store.countByKind(ORGANIZATION, bounds[0]),
  'GET /bff/quota': (store) =>
    Promise.all([
      store.readSession('session'),
      ...NOTES.map((name) => store.readNote(name)),
      ...bounds.map((startMs) => store.countByKind(ORGANIZATION, startMs)),
    ]),
}

async function prepare(store) {
  const session = { encrypted: new Uint8Array(1500), endsAtMs: FAR_MS, owner: 'owner' }
  const seen = { openedAtMs: 0, seenAtMs: 0, browser: 'Firefox on Linux' }
  await store.writeSession('session', { ...session, ...seen }, 0)
  for (const name of NOTES) await store.changeNote(name, () => ({ limit: 60 }), FAR_MS)
}

await compareReads(READS, { many: 400_000, target: 1.3, prepare })
