import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Measurement } from '../../../src/bff/core/measurement.ts'
import { changeRefreshNote, readRefreshNote, refreshName } from '../../../src/bff/token/refresh-state.ts'
import { replaceTokens } from '../../../src/bff/token/refresh-run.ts'
import { changeSession, storeSession, tokenOf } from '../../../src/bff/session/record.ts'
import { countTokenFailure } from '../../../src/bff/token/pause.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createContext, newMemory, problemOf, START_MS } from '../_context.ts'

const OLD = {
  method: 'oauth',
  organizationId: '1001',
  tokens: { accessToken: 'old', refreshToken: 'r1', staleAtMs: START_MS, expiresAtMs: START_MS },
} as const
const LATER = { staleAtMs: START_MS + 3_600_000, expiresAtMs: START_MS + 3_600_000 }
const OF_ANOTHER = { ...OLD, tokens: { accessToken: 'of another', refreshToken: 'r2', ...LATER } }
const TOKENS = { access_token: 'new', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r3' }
const NEW = () => Response.json(TOKENS)
const INVALID_GRANT = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
const LIMIT = { code: 'limit_unknown', retryInMs: 20_000 } as const
const UNAVAILABLE = () => Promise.reject(new Problem('store_unavailable'))

/** A session with an expired access token, and another process at its store. Waiting takes no time. */
async function withSession(answer: () => Response | Promise<Response> = NEW) {
  const measured: Measurement[] = []
  const seen = { sent: 0, polledMs: 0, onPoll: (_polledMs: number): Promise<unknown> => Promise.resolve() }
  const { context: real, log } = createContext(async () => {
    seen.sent += 1
    return answer()
  })
  const context = {
    ...real,
    measure: (one: Measurement) => void measured.push(one),
    async wait(ms: number) {
      // The other waits are those of the lease and of writes that follow an answer.
      if (ms !== 50) return real.wait(ms / 100)
      await settle()
      seen.polledMs += ms
      await seen.onPoll(seen.polledMs)
    },
  }
  const { session } = await storeSession(context, { credential: OLD, proven: true, copies: {} })
  const elsewhere = { ...context, memory: newMemory() }
  return {
    context,
    session,
    seen,
    replace: () => replaceTokens(context, session),
    note: () => readRefreshNote(context, session, tokenOf(OLD)),
    problems: () => log.filter(({ event }) => event === 'problem'),
    refreshes: () => measured.flatMap((one) => (one.what === 'refresh' ? [one.outcome] : [])),
    storeOthers: () => changeSession(elsewhere, session, (record) => ({ ...record, credential: OF_ANOTHER })),
    noteElsewhere: (mark: { fence: number; startedAtMs: number } | undefined) =>
      changeRefreshNote(elsewhere, session, tokenOf(OLD), (known) => mark && { ...known, mark }),
    holdElsewhere: () => context.store.acquireLease(refreshName(session), START_MS, Infinity),
  }
}

test('a refresh waits 75 seconds for one of another process, and then asks to try again (5.4.3)', async () => {
  const { replace, seen, holdElsewhere } = await withSession()
  await holdElsewhere()
  expect(await problemOf(replace())).toEqual({ code: 'upstream_timeout', retryInMs: 50 })
  expect([seen.polledMs, seen.sent]).toEqual([75_000, 0])
})

test('tokens that another process has stored are used while it still holds its lease (5.4.3)', async () => {
  const { replace, seen, holdElsewhere, storeOthers } = await withSession()
  await holdElsewhere()
  await storeOthers()
  expect(await replace()).toEqual(OF_ANOTHER)
  expect([seen.polledMs, seen.sent]).toEqual([0, 0])
})

test('tokens that another process stores just before it releases its lease are used (5.4.3)', async () => {
  const { context, replace, seen, storeOthers } = await withSession()
  const { acquireLease } = context.store
  context.store.acquireLease = async (...lease) => {
    await storeOthers()
    return acquireLease(...lease)
  }
  expect(await replace()).toEqual(OF_ANOTHER)
  expect(seen.sent).toBe(0)
})

test.each([
  [0, 2000],
  [74_999, 2000],
  [75_000, 0],
])(
  'a refresh of %d ms ago gets %d ms for its tokens, then the old ones are sent (RFC 9700 4.14.2)',
  async (agoMs, polledMs) => {
    const { replace, seen, noteElsewhere } = await withSession()
    await noteElsewhere({ fence: 1, startedAtMs: START_MS - agoMs })
    expect((await replace()).tokens.accessToken).toBe('new')
    expect([seen.polledMs, seen.sent]).toEqual([polledMs, 1])
  },
)

test('tokens of the one whose lease was taken over are used as soon as they come (5.4.3)', async () => {
  const { replace, seen, noteElsewhere, storeOthers } = await withSession()
  await noteElsewhere({ fence: 1, startedAtMs: START_MS })
  seen.onPoll = async (polledMs) => polledMs === 1000 && storeOthers()
  expect(await replace()).toEqual(OF_ANOTHER)
  expect([seen.polledMs, seen.sent]).toEqual([1000, 0])
})

test('tokens of the former holder are used, even if they come after the old ones were refused (5.4.3)', async () => {
  const { replace, seen, refreshes, noteElsewhere, storeOthers } = await withSession(INVALID_GRANT)
  await noteElsewhere({ fence: 1, startedAtMs: START_MS })
  seen.onPoll = async (polledMs) => polledMs === 3000 && storeOthers()
  expect(await replace()).toEqual(OF_ANOTHER)
  expect([seen.polledMs, seen.sent, refreshes()]).toEqual([3000, 1, ['replaced']])
})

test('a holder that has lost its lease leaves the mark of the next one (5.4.3)', async () => {
  const mark = { fence: 99, startedAtMs: START_MS }
  const { replace, note, noteElsewhere } = await withSession(async () => {
    await noteElsewhere(mark)
    return NEW()
  })
  expect((await replace()).tokens.accessToken).toBe('new')
  expect((await note()).mark).toEqual(mark)
})

test('a refresh that ends after that of the next holder has the tokens of that one (5.4.3)', async () => {
  const { replace, noteElsewhere, storeOthers } = await withSession(async () => {
    await storeOthers()
    await noteElsewhere(undefined)
    return NEW()
  })
  expect(await replace()).toEqual(OF_ANOTHER)
})

test('while the token endpoint is left alone no refresh is tried, and none is counted as failed (8)', async () => {
  const { context, replace, seen, note, problems } = await withSession()
  await countTokenFailure(context, LIMIT)
  expect(await problemOf(replace())).toEqual({ code: 'refresh_failed', retryInMs: 20_000 })
  expect([seen.sent, (await note()).failures, problems()]).toEqual([0, 0, []])
})

const REFRESH = { event: 'problem', kind: 'token.refresh' }

test('a pause of the endpoint that begins while a refresh is prepared fails it unsent (8)', async () => {
  const { context, replace, seen, problems } = await withSession()
  const { changeNote } = context.store
  context.store.changeNote = async (...change) => {
    context.store.changeNote = changeNote
    const changed = await changeNote(...change)
    await countTokenFailure(context, LIMIT)
    return changed
  }
  expect(await problemOf(replace())).toEqual({ code: 'refresh_failed', retryInMs: 20_000 })
  expect([seen.sent, problems()]).toEqual([0, [{ ...REFRESH, level: 'warn', code: 'limit_unknown' }]])
})

test('if the pause of the token endpoint cannot be read, the store is the reason (5.4)', async () => {
  const { context, replace, seen } = await withSession()
  const { readNote } = context.store
  context.store.readNote = (name) => (name.startsWith('refresh ') ? readNote(name) : UNAVAILABLE())
  expect(await problemOf(replace())).toEqual({ code: 'store_unavailable' })
  expect(seen.sent).toBe(0)
})

test('a refresh that cannot be recorded is not sent, and not counted as failed (8.3)', async () => {
  const { context, replace, seen, note, problems } = await withSession()
  const { reserve } = context.store
  context.store.reserve = UNAVAILABLE
  expect(await problemOf(replace())).toEqual({ code: 'store_unavailable' })
  const { failures, mark } = await note()
  expect([seen.sent, failures, mark, problems()]).toEqual([0, 0, undefined, []])
  context.store.reserve = reserve
  expect((await replace()).tokens.accessToken).toBe('new')
})

test.each([
  [500, {}, 'warn', 'upstream_failed', '500'],
  [401, { error: 'invalid_client' }, 'error', 'client_rejected', '401 invalid_client'],
])('a refresh that is answered %d %j is in the log, as %s (7)', async (status, body, level, code, cause) => {
  const { replace, problems } = await withSession(() => Response.json(body, { status }))
  await problemOf(replace())
  expect(problems()).toEqual([{ ...REFRESH, level, code, cause: expect.stringContaining(cause) }])
})
