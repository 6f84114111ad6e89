// Records requests in a SQLite file in one of the designs, on its caller's cores. Prints the result as JSON.
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
import { once } from 'node:events'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openStore } from './open-store.mjs'

const [design, url, atOnce, seconds] = [
  process.argv[2],
  process.argv[3],
  ...process.argv.slice(4).map(Number),
]

let recorded = 0
const entryOf = () => ({
  id: `${performance.timeOrigin} ${(recorded += 1)}`,
  organization: '2002',
  token: 'a token',
  kind: 'api.read',
  method: 'GET',
  path: '/organizations/{id}',
  initiator: 'person',
  owner: 'an owner',
  atMs: Date.now(),
})

async function alone() {
  const store = await openStore(url)
  let last = Promise.resolve()
  return { record: () => (last = last.then(() => store.reserve(entryOf()))), close: () => store.close() }
}

/** The app's design: requests of the same moment share a commit, on the event loop. */
async function shared() {
  const store = await openStore(url)
  return { record: () => store.reserve(entryOf()), close: () => store.close() }
}

/** A thread has the connection; all requests of one event-loop iteration are sent to it together. */
async function worker() {
  const thread = new Worker(new URL('commit-worker.mjs', import.meta.url), { workerData: url })
  await once(thread, 'message')
  let waiting = []
  let sent = []
  thread.on('message', () => {
    const ended = sent.shift()
    for (const { resolve } of ended) resolve()
  })
  const send = async () => {
    await nextIteration()
    sent.push(waiting)
    thread.postMessage(waiting.map(({ entry }) => entry))
    waiting = []
  }
  const record = () =>
    new Promise((resolve) => {
      if (waiting.length === 0) void send()
      waiting.push({ entry: entryOf(), resolve })
    })
  return { record, close: () => thread.terminate() }
}

const { record, close } = await { alone, shared, worker }[design]()
const tookMs = []
const recordFor = async (ms) => {
  const endMs = performance.now() + ms
  const loop = async () => {
    for (let atMs = performance.now(); atMs < endMs; atMs = performance.now()) {
      await record()
      tookMs.push(performance.now() - atMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}
await recordFor(500)
tookMs.length = 0
const [before, cpuBefore, beganMs] = [
  performance.eventLoopUtilization(),
  process.cpuUsage(),
  performance.now(),
]
await recordFor(seconds * 1000)
const { active } = performance.eventLoopUtilization(before)
const { user, system } = process.cpuUsage(cpuBefore)
const sorted = tookMs.toSorted((a, b) => a - b)
const at = (part) => sorted[Math.floor(sorted.length * part)]
console.log(
  JSON.stringify({
    rate: sorted.length / ((performance.now() - beganMs) / 1000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    busyUs: (active * 1000) / sorted.length,
    cpuUs: (user + system) / sorted.length,
  }),
)
await close()
