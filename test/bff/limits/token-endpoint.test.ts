import { expect, test } from 'vitest'
import { changeOrganizationNote, readTokenNote } from '../../../src/bff/limits/note.ts'
import { observeTokenAnswer } from '../../../src/bff/limits/token-endpoint.ts'
import { accessTokenName } from '../../../src/bff/session/record.ts'
import { windowAt } from '../../../src/contract/gauge.ts'
import type { RequestClass } from '../../../src/contract/rate-limit.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'

const SECONDS = START_MS / 1000

/** The windows of a token after the token endpoint reported a limit for it. */
async function windowsAfter(limits: { [Class in RequestClass]?: number }, limit: string, others = {}) {
  const { context } = createContext()
  await changeOrganizationNote(context, '1001', () => ({ limits }))
  const headers = new Headers({
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': '9',
    'X-RateLimit-Reset': String(SECONDS + 30),
    ...others,
  })
  await observeTokenAnswer(context, '1001', 'at', { headers, servedAtSeconds: SECONDS })
  const isStored = (await context.store.readNote(`token ${accessTokenName('at')}`)) !== undefined
  const { gauges } = await readTokenNote(context, accessTokenName('at'))
  expect(isStored).toBe(Object.keys(gauges).length > 0)
  return [windowAt(gauges.read, START_MS), windowAt(gauges.update, START_MS)].map((one) => one.remaining)
}

test.each([
  [{ read: 60, update: 15 }, '60', [9, undefined]],
  [{ read: 60, update: 15 }, '15', [undefined, 9]],
  [{ read: 600 }, '60', [undefined, undefined]],
  [{ read: 60, update: 60 }, '60', [undefined, undefined]],
  [{}, '60', [undefined, undefined]],
  [{ read: 60 }, '', [undefined, undefined]],
])(
  'with limits seen of %j a limit of %j at the token endpoint measures %j (8.4)',
  async (limits, limit, measured) => {
    expect(await windowsAfter(limits, limit)).toEqual(measured)
  },
)

test('an answer out of a cache measures nothing, and what is measured is assumed (RFC 9111 5.1)', async () => {
  expect(await windowsAfter({ read: 60 }, '60', { Age: '5' })).toEqual([undefined, undefined])
})

test('after a refresh whose answer has the headers, the new token starts with their values (5.4, 8.4.4)', async () => {
  for (const hdrscope of ['all', 'also_token'] as const) {
    const fixture = startApp({ choices: { hdrscope } })
    const browser = fixture.browser()
    await browser.signIn()
    fixture.advance(3_600_000)
    fixture.intercept((request, through) =>
      request.url.endsWith('/oauth2/token') ? through(request) : Promise.reject(new Error('gone')),
    )
    await browser.spend(`/organizations/${STANDARD}`)
    const { read } = await browser.quota()
    expect([read.known, read.assumed]).toEqual(hdrscope === 'all' ? ['unseen', false] : ['measured', true])
  }
})
