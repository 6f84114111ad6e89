// Several processes share Redis, and answer 503 while it is away.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRedisServer, type RedisServer, startRedis } from '../store/_redis-server.ts'
import { openApp } from '../kit/cleanup.ts'
import { callerWith, PAGE, signIn } from '../kit/service.ts'
import { run } from '../kit/app-process.ts'
import { openTokenService } from '../kit/service.ts'

describe.skipIf(findRedisServer() === undefined)('the app over Redis', () => {
  let server: RedisServer
  let databases = 0
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  /** Starts an instance for each entry of flags, over one Redis and one service. */
  async function openInstances(...flags: string[][]) {
    const settings = {
      ...(await openTokenService()),
      // As all instances of a deployment: the name of the cookie has its port.
      PLIMSOLL_PUBLIC_URL: 'http://localhost:3000',
      PLIMSOLL_STORE: server.url((databases += 1)),
    }
    const instances = []
    for (const each of flags) instances.push(await openApp(settings, each))
    return instances as [(typeof instances)[0], ...typeof instances]
  }

  test('a session of one instance works at the other and its workers, and a sign-out ends it at both', async () => {
    const [left, right] = await openInstances([], ['--workers', '2'])
    const { reply, call } = await signIn(left, '7')
    expect(reply.status).toBe(201)
    const callRight = callerWith(right?.url ?? '', reply)
    expect((await callRight('/api/organizations/7')).status).toBe(200)
    expect(await (await call('/bff/quota')).json()).toMatchObject({ month: { low: 1, high: 2 } })
    const cookie = reply.headers.getSetCookie().map((line) => line.split(';')[0])
    const headers = { ...PAGE, Cookie: cookie.join('; ') }
    const signOut = await fetch(`${right?.url}/bff/session`, { method: 'DELETE', headers })
    expect(signOut.status).toBe(204)
    expect((await call('/bff/quota')).status).toBe(401)
  })

  test('while Redis hangs or is down the answer is 503 and the cookie stays; then the session works again', async () => {
    const [running] = await openInstances([])
    const { call } = await signIn(running, '7')
    for (const [away, back] of [
      [() => server.signal('SIGSTOP'), () => server.signal('SIGCONT')],
      [() => server.stop('SIGKILL'), () => server.start()],
    ] as const) {
      await away()
      const reply = await call('/bff/quota')
      expect([reply.status, (await reply.json()).code]).toEqual([503, 'store_unavailable'])
      expect(reply.headers.getSetCookie()).toEqual([])
      await back()
      await expect.poll(async () => (await call('/bff/quota')).status).toBe(200)
    }
    expect(running.output()).toContain('store_failed')
  })

  test('the start refuses an unusable Redis in one line without the password', async () => {
    const { output, exitCode } = await run({
      PLIMSOLL_STORE: server.url().replace('//', '//app:top-secret@'),
    })
    await expect.poll(exitCode).toBe(1)
    expect(output().trim()).toMatch(/^The Redis server \S+ cannot be used: WRONGPASS .*PLIMSOLL_STORE\.$/)
    expect(output()).not.toContain('top-secret')
  })
})
