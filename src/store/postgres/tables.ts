import type { Reader, Writer } from '../engine/database.ts'
import { SCHEMA_VERSION, schemaOf } from '../engine/schema.ts'

/** PostgreSQL 15, as its `server_version_num`. */
const OLDEST_VERSION = 150_000

/** Makes the tables of an empty database. @returns what an operator should change */
export async function prepareTables(tx: Writer): Promise<string[]> {
  await tx.lock('plimsoll schema')
  const [server] = await tx.all<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  )
  if ((server?.version ?? 0) < OLDEST_VERSION) throw new Error('it is older than PostgreSQL 15')
  const [table] = await tx.all<{ found: unknown }>(`SELECT to_regclass('schema_version') AS found`)
  if (table?.found === null) await createTables(tx)
  else await assertVersion(tx)
  return noticesOf(tx)
}

async function createTables(tx: Writer): Promise<void> {
  for (const sql of schemaOf('postgres').split(/;\n/)) if (sql.trim() !== '') await tx.run(sql)
  await tx.run('CREATE TABLE schema_version (version INT NOT NULL)')
  await tx.run('INSERT INTO schema_version VALUES ($1)', [SCHEMA_VERSION])
}

async function assertVersion(tx: Reader): Promise<void> {
  const [row] = await tx.all<{ version: number }>('SELECT version FROM schema_version')
  if (row?.version !== SCHEMA_VERSION)
    throw new Error(`its tables were made by another version of Plimsoll (schema ${row?.version})`)
}

async function noticesOf(tx: Reader): Promise<string[]> {
  const [settings] = await tx.all<{ disk: string; answer: string }>(
    `SELECT current_setting('fsync') AS disk, current_setting('synchronous_commit') AS answer`,
  )
  return settings?.disk === 'off' || settings?.answer === 'off'
    ? ['PostgreSQL acknowledges what a power loss would lose: set fsync and synchronous_commit to on.']
    : []
}
