// The app over PostgreSQL, also one with TLS, answers 503 while it is away.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selfSigned } from '../kit/certificate.ts'
import { findPostgres, type PostgresServer, serverUser, startPostgres } from '../store/_postgres-server.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { openTokenService, signIn } from '../kit/service.ts'
import { run } from '../kit/app-process.ts'

const DAY_MS = 86_400_000

// The run reports that PostgreSQL is missing.
describe.each(findPostgres() === undefined ? [] : ['PostgreSQL'])('the app over %s', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  test('while PostgreSQL hangs or is down the answer is 503 and the cookie stays; then the session works again', async () => {
    const { settings } = await openTokenService()
    const running = await openApp({ ...settings, PLIMSOLL_STORE: server.url() })
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
