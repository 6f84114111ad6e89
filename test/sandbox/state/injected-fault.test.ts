import { expect, test } from 'vitest'
import { ConnectionReset } from '../../../src/sandbox/state/injected-fault.ts'
import { open, START_MS } from '../../kit/sandbox.ts'

type Opened = ReturnType<typeof open>

const read = (opened: Opened) => opened.send('/organizations', { headers: opened.key() })
const month = ({ sandbox }: Opened) => sandbox.snapshot().months['1001']?.count ?? 0

test.each([
  ['reset', 0],
  ['hang', 0],
  ['lost', 1],
] as const)('%s breaks one connection, and the request takes effect %i times (7)', async (kind, count) => {
  const opened = open()
  const { control } = opened.sandbox
  control.addFault({ operation: 'organizations', kind })
  await expect(read(opened)).rejects.toMatchObject({ code: 'ECONNRESET', name: 'ConnectionReset' })
  expect(month(opened)).toBe(count)
  expect(control.requestLog()).toMatchObject([{ rule: `fault_${kind}`, cost: { month: count } }])
  expect(control.requestLog()[0]?.status).toBeUndefined()
  expect((await read(opened)).status).toBe(200)
})

test.each([
  ['html', undefined, 502, /^text\/html/, false, 0],
  ['html', 200, 200, /^text\/html/, false, 0],
  ['html', 204, 204, /^text\/html/, false, 0],
  ['html', 205, 205, /^text\/html/, false, 0],
  ['html', 304, 304, /^text\/html/, false, 0],
  ['status', undefined, 503, /^application\/json/, true, 0],
  ['status', 418, 418, /^application\/json/, true, 0],
  ['server_error', undefined, 503, /^application\/json/, true, 0],
  ['garbage', undefined, 200, /^application\/json/, false, 1],
] as const)(
  '%s with status %s answers %i once, as %s (JSON: %s), and the request counts %i times (U44, 7)',
  async (kind, status, seen, type, isJson, count) => {
    const opened = open()
    const { control } = opened.sandbox
    control.addFault({ operation: 'any', kind, ...(status && { status }) })
    const answer = await read(opened)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([seen, expect.stringMatching(type)])
    // The page of a proxy has no header field of the service (8.4.2, U83).
    const own = ['Date', 'Cache-Control', 'X-RateLimit-Remaining'].map((name) => answer.headers.get(name))
    const [some, none] = [
      [expect.stringMatching(/GMT$/), 'no-store', String(60 - count)],
      [null, null, null],
    ]
    expect(own).toEqual(kind === 'html' ? none : some)
    expect(await answer.json().then(Boolean, () => false)).toBe(isJson)
    expect(month(opened)).toBe(count)
    expect(control.requestLog()).toMatchObject([{ rule: `fault_${kind}`, cost: { month: count } }])
    expect((await read(opened)).status).toBe(200)
  },
)

test('truncate takes effect, and the connection breaks in the middle of the body, or where it is told (7)', async () => {
  const [whole, opened] = [await (await read(open())).text(), open()]
  const cut = async (bytes?: number) => {
    opened.sandbox.control.addFault({ operation: 'any', kind: 'truncate', ...(bytes && { bytes }) })
    const error: unknown = await read(opened).catch((cause: unknown) => cause)
    return error instanceof ConnectionReset ? error.partial : undefined
  }
  const partial = await cut()
  const half = (await partial?.text()) ?? ''
  expect([partial?.status, Number(partial?.headers.get('Content-Length'))]).toEqual([200, whole.length])
  expect([half.length, whole.startsWith(half)]).toEqual([Math.floor(whole.length / 2), true])
  expect(opened.sandbox.control.requestLog()).toMatchObject([{ rule: 'fault_truncate', status: 200 }])
  expect(month(opened)).toBe(1)
  expect(await (await cut(7))?.text()).toHaveLength(7)
})

test('a delay passes in real time if a wait is passed in, and otherwise on the clock of the sandbox (7)', async () => {
  const waited: number[] = []
  const inRealTime = open({ wait: async (ms) => void waited.push(ms) })
  const inVirtualTime = open()
  for (const opened of [inRealTime, inVirtualTime]) {
    opened.sandbox.control.addFault({ operation: 'organizations', kind: 'delay', ms: 5000 })
    expect((await read(opened)).status).toBe(200)
  }
  expect(waited).toEqual([5000])
  expect(inRealTime.sandbox.control.nowMs()).toBe(START_MS)
  expect(inVirtualTime.sandbox.control.nowMs()).toBe(START_MS + 5000)
  expect(inVirtualTime.sandbox.control.requestLog()).toMatchObject([{ rule: 'served', at_ms: START_MS }])
})

test('a delay between two bounds is drawn from the seed (7)', async () => {
  const waits = async () => {
    const waited: number[] = []
    const opened = open({ wait: async (ms) => void waited.push(ms) })
    opened.sandbox.control.addFault({ operation: 'any', kind: 'delay', ms: 10, most_ms: 500, times: 20 })
    for (let nth = 0; nth < 20; nth += 1) await read(opened)
    return waited
  }
  const first = await waits()
  expect([Math.min(...first) >= 10, Math.max(...first) <= 500]).toEqual([true, true])
  expect(new Set(first).size).toBeGreaterThan(10)
  expect(await waits()).toEqual(first)
})

test('a fault is for the next requests of its operation and credential only (7)', async () => {
  const { sandbox, send, key, authorizePath } = open()
  const { control } = sandbox
  await send('/organizations', { headers: key() })
  const credential = control.requestLog()[0]?.credential ?? ''
  control.addFault({ operation: 'rate_limit', kind: 'status', times: 2 })
  control.addFault({ operation: 'organization', kind: 'status', status: 500 })
  control.addFault({ operation: 'authorize', kind: 'status', status: 501 })
  control.addFault({ operation: 'token', kind: 'status', status: 502 })
  control.addFault({ operation: 'organizations', kind: 'status', credential, after: 1 })
  const [rate, own, all] = ['/rate_limit', '/organizations/1001', '/organizations']
  const statuses: number[] = []
  for (const path of [rate, rate, rate, own, authorizePath()])
    statuses.push((await send(path, { headers: key() })).status)
  statuses.push((await send('/oauth2/token', { method: 'POST' })).status)
  for (const id of [2002, 1001, 1001, 1001]) statuses.push((await send(all, { headers: key(id) })).status)
  expect(statuses).toEqual([503, 503, 200, 500, 501, 502, 200, 200, 503, 200])
  expect(control.faults()).toEqual([])
})
