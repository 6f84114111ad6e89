// The log of the built app: start and stop, ids of requests.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { wholeTest } from '../_whole.ts'
import { openApp } from '../kit/cleanup.ts'
import { openTokenService, PAGE } from '../kit/service.ts'
import type { AppProcess } from '../kit/app-process.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const PROGRAM = { version, node: process.version }
type Line = Record<string, string | number>

/** The lines of the log with this event, without their times. */
const linesOf = ({ output }: Pick<AppProcess, 'output'>, event: string): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => {
      const { time: _, ...rest } = JSON.parse(line) as Line
      return rest
    })

test("each start and stop is logged, with Plimsoll's and Node's version (operations)", async () => {
  const running = await openApp({})
  const line = (event: string, more = {}) => [{ level: 'info', event, ...PROGRAM, ...more }]
  await expect.poll(() => linesOf(running, 'start')).toEqual(line('start'))
  running.child().kill('SIGTERM')
  expect(await running.ended()).toBe(0)
  expect(linesOf(running, 'stop')).toEqual(line('stop', { cause: 'SIGTERM' }))
})

/** The headers of an answer over a new connection. @param ids more than one are sent as so many headers */
const headersFor = ({ url }: AppProcess, path: string, ids: string[]) =>
  new Promise<Record<string, unknown>>((resolve, reject) =>
    request(url + path, { agent: false, headers: { ...PAGE, 'X-Request-Id': ids } }, (answer) => {
      answer.resume()
      resolve(answer.headers)
    })
      .on('error', reject)
      .end(),
  )

wholeTest(
  'the id that a trusted proxy gives a request is in the log and the answer (operations)',
  async () => {
    const { settings } = await openTokenService()
    const running = await openApp({ ...settings, PLIMSOLL_TRUST_PROXY: '1' })
    const good = [
      '0f8fad5bd9cb469fa165708677289501',
      'Root=1-67891233-abcdef012345678912345678',
      'a'.repeat(64),
    ]
    for (const id of good)
      for (const path of ['/', '/bff/session', '/nothing', '/favicon.svg', '/bff/quota'])
        expect([path, (await headersFor(running, path, [id]))['x-request-id']]).toEqual([path, id])
    const bad = [['a'.repeat(65)], ['a b'], ['a"b'], ['a,b'], [''], ['\u00e4'], good.slice(0, 2)]
    for (const ids of bad)
      expect((await headersFor(running, '/bff/quota', ids))['x-request-id']).toBeUndefined()
    const given = good.flatMap((id) => Array<string>(5).fill(id))
    const own = bad.map(() => expect.stringMatching(/^[\da-f]{12}$/))
    const idsOf = (event: string) => linesOf(running, event).map((line) => line['request_id'])
    await expect.poll(() => idsOf('request')).toEqual([...given, ...own])
    expect(idsOf('problem').slice(0, 3)).toEqual(good)
    expect(linesOf(running, 'problem').map((line) => line['support_id'])).toEqual(idsOf('problem'))
  },
)

wholeTest('without a trusted proxy an id that comes with a request is ignored (operations)', async () => {
  const running = await openApp((await openTokenService()).settings)
  expect((await headersFor(running, '/bff/quota', ['an-id-of-a-stranger']))['x-request-id']).toBeUndefined()
  const ids = () => linesOf(running, 'request').map((line) => line['request_id'])
  await expect.poll(ids).toEqual([expect.stringMatching(/^[\da-f]{12}$/)])
  expect(running.output()).not.toContain('an-id-of-a-stranger')
})
