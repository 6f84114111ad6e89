// The certificates of an operator: for localhost, signed by an authority of its own in place of a public one.
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Machine } from './machine.ts'

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] })

/** @returns the fingerprint of the public key, by which the browser accepts the certificate */
export function makeCertificates({ at }: Machine): string {
  const tls = at('etc/plimsoll/tls')
  mkdirSync(tls, { recursive: true })
  const [authority, authorityKey, request, extensions] = [
    at('authority.pem'),
    at('authority-key.pem'),
    at('request.pem'),
    at('extensions'),
  ]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '30',
    '-subj',
    '/CN=authority of a test',
    '-keyout',
    authorityKey,
    '-out',
    authority,
  )
  openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', `${tls}/key.pem`, '-out', request)
  writeFileSync(extensions, 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  const signed = ['-CA', authority, '-CAkey', authorityKey, '-set_serial', '1', '-days', '30']
  const leaf = ['-extfile', extensions, '-out', `${tls}/fullchain.pem`]
  openssl('x509', '-req', '-in', request, ...signed, ...leaf)
  const { publicKey } = new X509Certificate(readFileSync(`${tls}/fullchain.pem`))
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
}

/** What only Redis needs: for SQLite none of these files is there. */
export function putRedisCertificates({ at }: Machine): void {
  const tls = at('etc/plimsoll/tls')
  copyFileSync(at('authority.pem'), `${tls}/authority.pem`)
  copyFileSync(`${tls}/fullchain.pem`, `${tls}/redis.pem`)
  copyFileSync(`${tls}/key.pem`, `${tls}/redis-key.pem`)
}
