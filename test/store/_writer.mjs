// A process that waits for the end of its input, opens a store, and acknowledges each write on its output, until it is done,
// fails or is killed.
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const [path, job, count] = process.argv.slice(2)
const source = fileURLToPath(new URL('../../src/store/sqlite.ts', import.meta.url))
/** Ends when the line is out of this process. */
const say = (line) => new Promise((said) => process.stdout.write(`${line}\n`, said))

const { module } = await runnerImport(source, { configFile: false, logLevel: 'error' })
await say('ready')
await text(process.stdin)
const store = module.openSqlite(path)
const FAR_MS = 4e12

const jobs = {
  reserve: (n) =>
    store.reserve({
      id: `entry-${n}`,
      organization: '7',
      kind: 'api.read',
      method: 'GET',
      path: '/organizations',
      initiator: 'person',
      atMs: n,
    }),
  claim: (n) => store.claim(`name-${n}`, 0, FAR_MS),
  count: () => store.changeNote('counter', (known) => (known ?? 0) + 1, FAR_MS),
}

try {
  for (let n = 1; n <= Number(count); n += 1) await say(`${n} ${await jobs[job](n)}`)
} catch (error) {
  await say(`failed ${error.code} ${error.cause?.code}`)
}
