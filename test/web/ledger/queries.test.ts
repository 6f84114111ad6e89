import { expect, test } from 'vitest'
import { getAllEntries, MOST_ROWS } from '../../../src/web/ledger/queries.ts'
import { ledgerEntry } from '../../_ledger-entry.ts'
import { signedInNetwork, stubFetch } from '../_network.ts'

/** With 500 entries on a page. */
function serveLedger(count: number): string[] {
  const asked: string[] = []
  stubFetch(async (path) => {
    asked.push(path)
    const from = Number(new URL(path, 'https://app.example').searchParams.get('next') ?? '0')
    const entries = Array.from({ length: Math.min(500, count - from) }, () => ledgerEntry())
    return Response.json({ entries, ...(from + 500 < count && { next: String(from + 500) }) })
  })
  return asked
}

test('every page of the month is read once, with the cursor of the page before it', async () => {
  const asked = serveLedger(1100)
  expect(await getAllEntries()).toHaveLength(1100)
  expect(asked).toEqual(['/bff/ledger', '/bff/ledger?next=500', '/bff/ledger?next=1000'])
})

test('if a month has more rows than a file, only the newest are read', async () => {
  const asked = serveLedger(100_000)
  expect(await getAllEntries()).toHaveLength(MOST_ROWS)
  expect(asked).toHaveLength(20)
})

test('the real ledger has the requests of this app, and reading it costs nothing (C35)', async () => {
  const network = await signedInNetwork('api_key')
  network.fixture.advance(2000)
  await network.browser.spend('/organizations')
  const spent = network.spent()
  const kinds = (await getAllEntries()).map(({ kind, initiator, by }) => [kind, initiator, by])
  expect(kinds).toEqual([
    ['api.read', 'person', 'you'],
    ['api.read', 'sign_in', 'you'],
  ])
  expect(network.spent()).toBe(spent)
})
