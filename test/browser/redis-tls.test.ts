// The built app over rediss://, with a certificate that the operator trusts by NODE_EXTRA_CA_CERTS.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { selfSigned } from '../kit/certificate.ts'
import { findRedisServer, freePort, startRedis } from '../store/_redis-server.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { run } from '../kit/app-process.ts'

const DAY_MS = 86_400_000

/** A Redis with a certificate for `localhost`. */
async function startWithTls(): Promise<{ port: number; certFile: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tls-'))
  endLater(() => rmSync(folder, { recursive: true }))
  const [certFile, keyFile, port] = [join(folder, 'cert.pem'), join(folder, 'key.pem'), await freePort()]
  const { cert, key } = selfSigned('localhost', Date.now() + DAY_MS)
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', certFile]
  const server = await startRedis('--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files)
  endLater(server.remove)
  return { port, certFile }
}

describe.skipIf(findRedisServer() === undefined)('a Redis with TLS', () => {
  test('is the store if its certificate is trusted', async () => {
    const { port, certFile } = await startWithTls()
    const running = await openApp({
      PLIMSOLL_STORE: `rediss://localhost:${port}/0`,
      NODE_EXTRA_CA_CERTS: certFile,
    })
    expect((await fetch(`${running.operationsUrl}/readyz`)).status).toBe(200)
  })

  test.each([
    ['whose authority is not known', 'localhost', false, /self-signed certificate/],
    ['of another name', '127.0.0.1', true, /IP: 127\.0\.0\.1 is not in the cert's list/],
  ])('with a certificate %s is refused at the start in one line', async (_, host, isTrusted, reason) => {
    const { port, certFile } = await startWithTls()
    const { output, exitCode } = await run({
      PLIMSOLL_STORE: `rediss://${host}:${port}/0`,
      ...(isTrusted && { NODE_EXTRA_CA_CERTS: certFile }),
    })
    await expect.poll(exitCode).toBe(1)
    expect(output().trim()).toMatch(/^The Redis server \S+ cannot be used: .*PLIMSOLL_STORE\.$/)
    expect(output()).toMatch(reason)
  })

  test('is not reached without TLS at its port, and the start says so', async () => {
    const { port } = await startWithTls()
    const { output, exitCode } = await run({ PLIMSOLL_STORE: `redis://localhost:${port}/0` })
    await expect.poll(exitCode).toBe(1)
    expect(output().trim()).toMatch(/^The Redis server \S+ cannot be used: .*PLIMSOLL_STORE\.$/)
  })
})
