// A process that runs SQL on a database step by step, each followed by a wait: `_holder.mjs FILE '[[sql, ms], ...]'`. It writes
// a line after each step, and ends where another process has the lock.
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql'

const [file, steps] = process.argv.slice(2)
const db = new Database(file)
try {
  for (const [sql, ms] of JSON.parse(steps)) {
    db.exec(sql)
    process.stdout.write('holding\n')
    await wait(ms)
  }
} catch (error) {
  if (error.code !== 'SQLITE_BUSY') throw error
} finally {
  db.close()
}
