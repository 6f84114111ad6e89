// Several processes share PostgreSQL, also one with TLS, and answer 503 while it is away.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selfSigned } from '../kit/certificate.ts'
import { findPostgres, type PostgresServer, serverUser, startPostgres } from '../store/_postgres-server.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { callerWith, openTokenService, PAGE, signIn } from '../kit/service.ts'
import { run } from '../kit/app-process.ts'

const DAY_MS = 86_400_000

// The run reports that PostgreSQL is missing.
describe.each(findPostgres() === undefined ? [] : ['PostgreSQL'])('the app over %s', () => {
  let server: PostgresServer
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  /** Starts an instance for each entry of flags, over one PostgreSQL and one service. */
  async function openInstances(...flags: string[][]) {
    const schema = `s${(schemas += 1)}`
    await server.send(`CREATE SCHEMA ${schema}`)
    const settings = {
      ...(await openTokenService()),
      // As all instances of a deployment: the name of the cookie has its port.
      PLIMSOLL_PUBLIC_URL: 'http://localhost:3000',
      PLIMSOLL_STORE: server.url(schema),
    }
    const instances = []
    for (const each of flags) instances.push(await openApp(settings, each))
    return instances as [(typeof instances)[0], ...typeof instances]
  }

  test('a session of one instance works at the other, and a sign-out ends it at both', async () => {
    const [left, right] = await openInstances([], [])
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

  test('while PostgreSQL hangs or is down the answer is 503 and the cookie stays; then the session works again', async () => {
    const [running] = await openInstances([])
    const { call } = await signIn(running, '7')
    for (const [away, back] of [
      [() => server.signal('SIGSTOP'), () => server.signal('SIGCONT')],
      [() => server.stop(), () => server.start()],
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

  describe('with TLS', () => {
    /** A PostgreSQL with a certificate for `localhost`. */
    async function startWithTls(): Promise<{ port: number; certFile: string }> {
      const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tls-'))
      chmodSync(folder, 0o711)
      endLater(() => rmSync(folder, { recursive: true }))
      const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
      const { cert, key } = selfSigned('localhost', Date.now() + DAY_MS)
      writeFileSync(certFile, cert)
      writeFileSync(keyFile, key, { mode: 0o600 })
      const user = serverUser()
      if (user) chownSync(keyFile, user.uid, user.gid)
      const files = ['-c', `ssl_cert_file=${certFile}`, '-c', `ssl_key_file=${keyFile}`]
      const tls = await startPostgres('-c', 'ssl=on', ...files)
      endLater(tls.remove)
      return { port: tls.port, certFile }
    }
    const urlOf = (host: string, port: number, more: string) =>
      `postgres://postgres@${host}:${port}/postgres?sslmode=verify-full${more}`

    test('it is the store if its certificate is trusted by the address', async () => {
      const { port, certFile } = await startWithTls()
      const running = await openApp({
        PLIMSOLL_STORE: urlOf('localhost', port, `&sslrootcert=${certFile}`),
      })
      expect((await fetch(`${running.operationsUrl}/readyz`)).status).toBe(200)
    })

    test.each([
      ['whose authority is not known', 'localhost', false, /self-signed certificate/],
      ['of another name', '127.0.0.1', true, /IP: 127\.0\.0\.1 is not in the cert's list/],
    ])('a certificate %s is refused at the start in one line', async (_, host, isTrusted, reason) => {
      const { port, certFile } = await startWithTls()
      const { output, exitCode } = await run({
        PLIMSOLL_STORE: urlOf(host, port, isTrusted ? `&sslrootcert=${certFile}` : ''),
      })
      await expect.poll(exitCode).toBe(1)
      expect(output().trim()).toMatch(/^The PostgreSQL server \S+ cannot be used: .*PLIMSOLL_STORE\.$/)
      expect(output()).toMatch(reason)
    })
  })
})
