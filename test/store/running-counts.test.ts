// Compares the counts with plain arrays, over random requests, settlements, attributions and sweeps.
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
} from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestKind } from '../../src/contract/month.ts'
import { type Settlement, type Store, UNPROVEN } from '../../src/store/store.ts'
import { ADAPTERS, entry } from '../kit/stores.ts'

const [QUARTER_MS, HOUR_MS, DAY_MS, FAR_MS] = [900_000, 3_600_000, 86_400_000, 4e12]
/** Quarters of an hour of three days. */
const QUARTERS = 3 * 96
const NAMES = ['7', '8', `${UNPROVEN}x`, `${UNPROVEN}y`]

type Act =
  | { act: 'reserve'; name: string; kind: RequestKind; atMs: number }
  | { act: 'settle'; nth: number; settlement: Settlement }
  | { act: 'attribute'; name: string; organization: string }
  | { act: 'sweep'; nowMs: number }

const reserve: Arbitrary<Act> = record({
  act: constant('reserve'),
  name: constantFrom(...NAMES),
  kind: constantFrom('api.read', 'token.refresh'),
  atMs: nat(QUARTERS * QUARTER_MS),
})
const settle: Arbitrary<Act> = record({
  act: constant('settle'),
  nth: nat(20),
  settlement: constantFrom<Settlement>(
    { outcome: 'settled', status: 200 },
    { outcome: 'settled', status: 404 },
    { outcome: 'uncertain' },
    { outcome: 'void' },
  ),
})
const attribute: Arbitrary<Act> = record({
  act: constant('attribute'),
  name: constantFrom(...NAMES.slice(2)),
  organization: constantFrom('7', '8'),
})
const sweep: Arbitrary<Act> = record({ act: constant('sweep'), nowMs: nat(3 * DAY_MS) })
const anyAct = oneof(
  { weight: 6, arbitrary: reserve },
  { weight: 4, arbitrary: settle },
  { weight: 1, arbitrary: attribute },
  { weight: 1, arbitrary: sweep },
)

interface Row {
  name: string
  kind: RequestKind
  atMs: number
  settlement?: Settlement
}

const isSwept = ({ name, atMs }: Row, nowMs: number) =>
  name.startsWith(UNPROVEN) && atMs < Math.floor((nowMs - HOUR_MS) / DAY_MS) * DAY_MS

function plainLedger() {
  const rows: Row[] = []
  const owners = new Map<string, string>()
  const run = (it: Act): void => {
    if (it.act === 'reserve') {
      rows.push({ name: owners.get(it.name) ?? it.name, kind: it.kind, atMs: it.atMs })
    } else if (it.act === 'settle') {
      const row = rows[it.nth]
      if (row) row.settlement ??= it.settlement
    } else if (it.act === 'attribute') {
      if (owners.has(it.name)) return
      owners.set(it.name, it.organization)
      for (const row of rows) if (row.name === it.name) row.name = it.organization
    } else {
      // Replace it, so that the others keep their index.
      for (const row of rows) if (isSwept(row, it.nowMs)) row.name = 'removed'
    }
  }
  const countByKind = (name: string, sinceMs: number, untilMs = Infinity): string[] => {
    const counts = new Map<string, number>()
    for (const row of rows.filter((of) => of.name === name && of.atMs >= sinceMs && of.atMs < untilMs)) {
      const { outcome = 'reserved', status } = row.settlement ?? {}
      const sort = [row.kind, outcome, status === 200].join(' ')
      counts.set(sort, (counts.get(sort) ?? 0) + 1)
    }
    return [...counts].map(([sort, count]) => `${sort} ${count}`).toSorted()
  }
  return { run, countByKind }
}

/** The same acts and counts in a store, with new names for each run. */
function storedLedger(store: Store, run: number) {
  let requests = 0
  const own = (name: string) =>
    name.startsWith(UNPROVEN) ? `${UNPROVEN}${run} ${name.slice(UNPROVEN.length)}` : `${run} ${name}`
  return {
    async run(it: Act): Promise<void> {
      if (it.act === 'reserve') {
        const { kind, atMs } = it
        await store.addEntry(entry(`${run} ${requests}`, { organization: own(it.name), kind, atMs }))
        requests += 1
      } else if (it.act === 'settle') await store.settle(`${run} ${it.nth}`, it.settlement, 0)
      else if (it.act === 'attribute') await store.attribute(own(it.name), own(it.organization), FAR_MS)
      else await store.sweep(it.nowMs)
    },
    async countByKind(name: string, sinceMs: number, untilMs?: number): Promise<string[]> {
      const counts = await store.countByKind(own(name), sinceMs, untilMs)
      return counts
        .map(({ kind, outcome, succeeded, count }) => [kind, outcome, succeeded, count].join(' '))
        .toSorted()
    },
  }
}

test.each(ADAPTERS)(
  'the running counts of %s are those of the rows, whatever happened to them (8.3)',
  async (_, open) => {
    const store = await open()
    let runs = 0
    const acts = array(anyAct, { maxLength: 40 })
    const quarters = array(nat(QUARTERS), { minLength: 1, maxLength: 4 })
    await assert(
      asyncProperty(acts, quarters, nat(QUARTERS), async (done, since, until) => {
        const [plain, stored] = [plainLedger(), storedLedger(store, (runs += 1))]
        for (const act of done) {
          plain.run(act)
          await stored.run(act)
        }
        const untils = [undefined, until * QUARTER_MS]
        for (const sinceMs of [0, ...since].map((quarter) => quarter * QUARTER_MS))
          for (const [name, untilMs] of NAMES.flatMap((one) => untils.map((to) => [one, to] as const)))
            expect(await stored.countByKind(name, sinceMs, untilMs)).toEqual(
              plain.countByKind(name, sinceMs, untilMs),
            )
      }),
      { numRuns: 60 },
    )
    await store.close()
  },
)
