// Open pages on one process: their memory, and the time until they show a change.
import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { pin, residentMegabytes, SERVER_CORE } from './_measurement.mjs'
import { number, quantile, report } from './_table.mjs'

const [PRESSES, WARM_READS, OPENED_AT_ONCE] = [5, 300, 100]
/** The longest time from a press to its last event. */
const SETTLES_MS = 2000

async function read(url, headers) {
  const answer = await fetch(url, { headers })
  await answer.text()
  if (answer.status !== 200) throw new Error(`a press answered ${answer.status}`)
}

/** Opens a stream. @returns after its first event @param onEvent is called at each event of the quota */
const openStream = (url, headers, onEvent) =>
  new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (answer) => {
      // The end of the measurement closes the streams.
      answer.on('error', () => {})
      answer.on('data', (chunk) => {
        if (!chunk.includes('event: quota')) return
        onEvent()
        resolve(request)
      })
    })
    request.on('error', reject)
  })

/** Each person of an app that has just been started again opens a page; then some press. */
export async function measureStreams({ app, url, headers }, path, paid) {
  app.child().kill('SIGTERM')
  await app.restart()
  const { pid } = app.child()
  pin(pid, SERVER_CORE)
  const press = (nth) => read(url + path, { ...headers[nth], ...paid })
  for (let nth = 0; nth < WARM_READS; nth += 1) await press(nth)

  const before = residentMegabytes(pid)
  const cameAtMs = []
  const streams = []
  while (streams.length < headers.length) {
    const group = headers.slice(streams.length, streams.length + OPENED_AT_ONCE).map((own, at) => {
      const nth = streams.length + at
      return openStream(`${url}/bff/events`, own, () => (cameAtMs[nth] = performance.now()))
    })
    streams.push(...(await Promise.all(group)))
  }
  await wait(SETTLES_MS)
  const kilobytes = (1024 * (residentMegabytes(pid) - before)) / streams.length

  const tookMs = []
  for (let nth = 0; nth < PRESSES; nth += 1) {
    const startedAtMs = performance.now()
    await press(WARM_READS + nth)
    const answeredAtMs = performance.now()
    await wait(SETTLES_MS)
    tookMs.push(...cameAtMs.map((atMs) => (atMs > startedAtMs ? atMs - answeredAtMs : Infinity)))
  }
  for (const stream of streams) stream.destroy()
  const unseen = tookMs.filter((ms) => ms === Infinity).length
  report(
    'streams',
    ['open pages', 'kB each', 'half show a change, ms after its press was answered', '99 % do', 'never seen'],
    [
      [
        number(streams.length),
        number(kilobytes, 1),
        number(quantile(tookMs, 0.5)),
        number(quantile(tookMs, 0.99)),
        unseen,
      ],
    ],
  )
}
