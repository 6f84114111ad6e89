// Opens many event streams on sockets of their own, and reports when each has its next event after a press.
// Arguments: port, streams, presses, reads before them, and a file with one cookie in each line.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { headersOf } from './headers.mjs'

const [port, count, presses, warmReads, file] = process.argv.slice(2)
const cookies = readFileSync(file, 'utf8').trim().split('\n')
const OPENING_TOGETHER = 100
/** The longest time from a press to its last event. */
const SETTLES_MS = 2000
const EVERY_MS = 5

const linesOf = (headers) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

const cameAtMs = []
function openStream(nth) {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      if (!chunk.includes('event: quota')) return
      cameAtMs[nth] = performance.now()
      resolve(socket)
    })
    const headers = { Host: `localhost:${port}`, ...headersOf(cookies[nth % cookies.length]) }
    socket.write(`GET /bff/events HTTP/1.1\r\n${linesOf(headers)}\r\n`)
  })
}

const agent = new Agent({ keepAlive: true })
const get = (path, headers) =>
  new Promise((resolve, reject) => {
    request({ port, path, headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end()
  })

/** Repeats a small request. @returns the longest time to an answer, in ms */
async function watchStalls(until) {
  let longestMs = 0
  const headers = headersOf(cookies[0])
  while (!until.aborted) {
    const startedAtMs = performance.now()
    await get('/bff/session', headers)
    longestMs = Math.max(longestMs, performance.now() - startedAtMs)
    await wait(EVERY_MS)
  }
  return longestMs
}

const press = (cookie) => get('/api/organizations/2002', { ...headersOf(cookie), 'X-Plimsoll-Spend': '1' })

for (const cookie of cookies.slice(-Number(warmReads))) await press(cookie)
process.send({ ready: true })
await new Promise((resolve) => process.once('message', resolve))
for (let nth = 0; nth < count; nth += OPENING_TOGETHER)
  await Promise.all(
    Array.from({ length: Math.min(OPENING_TOGETHER, count - nth) }, (_, at) => openStream(nth + at)),
  )
await wait(SETTLES_MS)
process.send({ opened: true })
await new Promise((resolve) => process.once('message', resolve))

const tookMs = []
const end = new AbortController()
const stalls = watchStalls(end.signal)
for (let nth = 0; nth < presses; nth += 1) {
  const startedAtMs = performance.now()
  const status = await press(cookies[nth + 1])
  if (status !== 200) throw new Error(`a press answered ${status}`)
  const answeredMs = performance.now() - startedAtMs
  await wait(SETTLES_MS)
  tookMs.push(cameAtMs.map((at) => (at > startedAtMs ? at - startedAtMs - answeredMs : Infinity)))
}
end.abort()
const quantile = (times, share) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]
process.send({
  p50Ms: quantile(tookMs.flat(), 0.5),
  p99Ms: quantile(tookMs.flat(), 0.99),
  firstP99Ms: quantile(tookMs[0], 0.99),
  missed: tookMs.flat().filter((ms) => ms === Infinity).length,
  longestStallMs: await stalls,
})
process.exit()
