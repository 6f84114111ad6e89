// Runs SQL on a database, each step followed by a wait: `_holder.mjs FILE '[[sql, ms], ...]'`. Writes a line
// after each step, and its longest iteration at the end. Ends if another process has the lock.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql'

const [file, steps] = process.argv.slice(2)
const db = new Database(file)
const delay = monitorEventLoopDelay({ resolution: 5 })
try {
  for (const [sql, ms] of JSON.parse(steps)) {
    db.exec(sql)
    process.stdout.write('holding\n')
    delay.enable()
    await wait(ms)
  }
} catch (error) {
  if (error.code !== 'SQLITE_BUSY') throw error
} finally {
  db.close()
  process.stdout.write(`longest iteration: ${Math.round(delay.max / 1e6)}\n`)
}
