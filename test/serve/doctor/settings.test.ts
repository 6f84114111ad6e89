import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineSettings } from '../../../src/serve/doctor/settings.ts'
import { readSettings } from '../../../src/serve/settings/settings.ts'
import { folder } from '../../kit/temp-folder.ts'

/** A public deployment behind one proxy. */
const GOOD = {
  PLIMSOLL_SERVICE_URL: 'https://service.example',
  PLIMSOLL_CLIENT_ID: 'an-app',
  PLIMSOLL_PUBLIC_URL: 'https://plimsoll.example',
  PLIMSOLL_TRUST_PROXY: '1',
}

function examine(changes: Record<string, string | undefined> = {}, mode = 0o600) {
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, 'a-good-secret')
  chmodSync(secretFile, mode)
  const environment = { ...GOOD, PLIMSOLL_CLIENT_SECRET_FILE: secretFile, ...changes }
  const settings = readSettings(environment, () => 'a-good-secret')
  return examineSettings(settings).filter(({ level }) => level !== 'ok')
}

test('a public deployment behind a proxy has nothing to warn of', () => {
  expect(examine()).toEqual([])
})

test.each([
  ['secret', { PLIMSOLL_CLIENT_SECRET_FILE: '', PLIMSOLL_CLIENT_SECRET: 'x' }, 'in the environment'],
  ['redirect URI', { PLIMSOLL_PUBLIC_URL: 'https://localhost' }, 'only this machine can open'],
  ['service', { PLIMSOLL_SERVICE_URL: 'https://plimsoll.example:8443' }, 'cookies of the other'],
  ['https', { PLIMSOLL_SERVICE_URL: 'http://127.0.0.1:4000' }, 'not encrypted'],
  ['proxy', { PLIMSOLL_HOST: '0.0.0.0' }, 'around the proxy'],
  [
    'operations',
    { PLIMSOLL_OPERATIONS_HOST: '::', PLIMSOLL_ALLOWED_HOSTS: '10.0.0.5' },
    'others may reach health and metrics',
  ],
])('a warning of %s: %j', (about, changes, text) => {
  expect(examine(changes)).toEqual([
    { level: 'warning', about, text: expect.stringContaining(text), advice: expect.any(String) },
  ])
})

test('an open operations port that no further name reaches is a warning of its own', () => {
  expect(examine({ PLIMSOLL_OPERATIONS_HOST: '10.0.0.5' }).map(({ advice }) => advice)).toEqual([
    expect.stringContaining('a firewall'),
    expect.stringContaining('PLIMSOLL_ALLOWED_HOSTS'),
  ])
})

test('on this machine: the sandbox, Safari but at localhost, and addresses that everyone may claim', () => {
  const none = { PLIMSOLL_SERVICE_URL: '', PLIMSOLL_CLIENT_ID: '', PLIMSOLL_CLIENT_SECRET_FILE: '' }
  const foundAt = (publicUrl: string) =>
    examine({ ...none, PLIMSOLL_PUBLIC_URL: publicUrl }).map(({ level, about }) => `${level} ${about}`)
  expect(foundAt('http://[::1]:3000')).toEqual(['warning service', 'warning cookies', 'warning proxy'])
  expect(foundAt('http://localhost:3000')).toEqual(['warning service', 'warning proxy'])
})

test('the rights of the secret file: 0600 is good, the group is a warning, others are a fault', () => {
  expect(examine({}, 0o400)).toEqual([])
  expect(examine({}, 0o640).map(({ level }) => level)).toEqual(['warning'])
  expect(examine({}, 0o604).map(({ level }) => level)).toEqual(['fault'])
})
