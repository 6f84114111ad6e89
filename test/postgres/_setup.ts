// A fixture that names no store gets tables of its own in PostgreSQL, and so do two processes that share one.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeEach, inject } from 'vitest'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { replaceIn } from '../kit/store-methods.ts'

const url = inject('postgresUrl')
const opened: Store[] = []
/** Those of the present test: one of an earlier test may never end. */
let calls = new Set<Promise<unknown>>()

async function emptySchema(): Promise<string> {
  const schema = `s${randomUUID().replaceAll('-', '')}`
  const client = new Client(url)
  await client.connect()
  await client.query(`CREATE SCHEMA ${schema}`)
  await client.end()
  return `${url}?options=-c%20search_path%3D${schema}`
}

async function open(where: string): Promise<Store> {
  const store = await openPostgres(where)
  // The tests set the clock.
  replaceIn(store, 'readClock', () => async (ownMs) => ownMs)
  opened.push(store)
  return store
}

/** A store that is opened at its first use, because a fixture is created synchronously. */
function openLazily(where: Promise<string>): Store {
  let store: Promise<Store> | undefined
  const ask = async (name: keyof Store, args: unknown[]): Promise<unknown> => {
    const present = await (store ??= where.then(open))
    return (present[name] as (...given: unknown[]) => unknown)(...args)
  }
  const counted = (name: keyof Store, args: unknown[]): Promise<unknown> => {
    const call = ask(name, args).finally(() => calls.delete(call))
    calls.add(call)
    return call
  }
  const names = Object.keys(openSqlite(':memory:')) as (keyof Store)[]
  return Object.fromEntries(
    names.map((name) => [name, (...args: unknown[]) => counted(name, args)]),
  ) as unknown as Store
}

globalThis.openStoresOfFixture = (connections) => {
  const where = emptySchema()
  return Array.from({ length: connections }, () => openLazily(where))
}
globalThis.isStoreBusy = () => calls.size > 0
beforeEach(() => {
  calls = new Set()
})

/** A transaction that hangs keeps its connection open until the server ends. */
const CLOSES_MS = 5000
afterAll(async () => {
  const closed = Promise.all(opened.splice(0).map((store) => store.close()))
  await Promise.race([closed, delay(CLOSES_MS)])
})
