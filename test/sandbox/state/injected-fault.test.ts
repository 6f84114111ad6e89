import { describe, expect, test } from 'vitest'
import { ConnectionReset } from '../../../src/sandbox/state/injected-fault.ts'
import { open, START_MS } from '../../kit/sandbox.ts'

const read = (opened: ReturnType<typeof open>) => opened.send('/organizations', { headers: opened.key() })

describe('an injected fault', () => {
  test.each([
    ['reset', 0],
    ['hang', 0],
    ['lost', 1],
  ] as const)('%s breaks the connection, and the request takes effect %i times', async (kind, count) => {
    const opened = open()
    opened.sandbox.control.addFault({ operation: 'organizations', kind })
    await expect(read(opened)).rejects.toMatchObject({ code: 'ECONNRESET', name: 'ConnectionReset' })
    expect(opened.sandbox.snapshot().months['1001']?.count ?? 0).toBe(count)
    expect(opened.sandbox.control.requestLog()).toMatchObject([
      { rule: `fault_${kind}`, cost: { month: count } },
    ])
    expect(opened.sandbox.control.requestLog()[0]?.status).toBeUndefined()
    expect((await read(opened)).status).toBe(200)
  })

  test('truncate takes effect, and the connection breaks in the middle of the body', async () => {
    const [whole, opened] = [await (await read(open())).text(), open()]
    opened.sandbox.control.addFault({ operation: 'organizations', kind: 'truncate' })
    const error: unknown = await read(opened).catch((cause: unknown) => cause)
    const partial = error instanceof ConnectionReset ? error.partial : undefined
    const half = (await partial?.text()) ?? ''
    expect([partial?.status, Number(partial?.headers.get('Content-Length'))]).toEqual([200, whole.length])
    expect([half.length, whole.startsWith(half)]).toEqual([Math.floor(whole.length / 2), true])
    expect(opened.sandbox.control.requestLog()).toMatchObject([{ rule: 'fault_truncate', status: 200 }])
    expect(opened.sandbox.snapshot().months['1001']?.count).toBe(1)
  })

  test('garbage takes effect, and no JSON arrives', async () => {
    const opened = open()
    opened.sandbox.control.addFault({ operation: 'organizations', kind: 'garbage' })
    const answer = await read(opened)
    expect(answer.status).toBe(200)
    await expect(answer.json()).rejects.toThrow(SyntaxError)
    expect(opened.sandbox.snapshot().months['1001']?.count).toBe(1)
  })

  test.each([
    ['html', undefined, 502, /^text\/html/],
    ['html', 200, 200, /^text\/html/],
    ['status', undefined, 503, /^application\/json/],
    ['status', 418, 418, /^application\/json/],
  ] as const)('%s with status %s answers %i, without effect', async (kind, status, seen, type) => {
    const opened = open()
    opened.sandbox.control.addFault({ operation: 'any', kind, ...(status && { status }) })
    const answer = await read(opened)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([seen, expect.stringMatching(type)])
    expect(opened.sandbox.snapshot().months).toEqual({})
  })

  test('delay waits in real time if a wait is passed in, and otherwise on the clock of the sandbox', async () => {
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

  test('is for the next requests of its operation only', async () => {
    const { sandbox, send, key, authorizePath } = open()
    const { control } = sandbox
    control.addFault({ operation: 'rate_limit', kind: 'status', times: 2 })
    control.addFault({ operation: 'organization', kind: 'status', status: 500 })
    control.addFault({ operation: 'authorize', kind: 'status', status: 501 })
    control.addFault({ operation: 'token', kind: 'status', status: 502 })
    const asked = ['/organizations', '/rate_limit', '/rate_limit', '/rate_limit', '/organizations/1001']
    const statuses: number[] = []
    for (const path of [...asked, authorizePath()])
      statuses.push((await send(path, { headers: key() })).status)
    statuses.push((await send('/oauth2/token', { method: 'POST' })).status)
    expect(statuses).toEqual([200, 503, 503, 200, 500, 501, 502])
    expect(control.faults()).toEqual([])
  })
})

test.each([
  undefined,
  [],
  {},
  { operation: 'token' },
  { operation: 'nothing', kind: 'reset' },
  { operation: 'token', kind: 'constructor' },
  { operation: 'token', kind: 'reset', times: 0 },
  { operation: 'token', kind: 'reset', times: 1.5 },
  { operation: 'token', kind: 'delay', ms: -1 },
  { operation: 'token', kind: 'status', status: 99 },
  { operation: 'token', kind: 'reset', more: 1 },
])('%j is not a fault, and changes nothing', (value) => {
  const { control } = open().sandbox
  expect(() => control.addFault(value)).toThrow(Error)
  expect(control.faults()).toEqual([])
})
