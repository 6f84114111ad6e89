/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
import { parentPort, workerData } from 'node:worker_threads'
import { openStore } from './open-store.mjs'

const store = await openStore(workerData)
const record = async (entries) => {
  await Promise.all(entries.map((entry) => store.reserve(entry)))
  parentPort.postMessage('recorded')
}
parentPort.on('message', (entries) => void record(entries))
parentPort.postMessage('open')
