/** The bff's configuration in tests, without what the fixture adds. */
import type { BffConfig } from '../../src/bff/core/context.ts'
import { cookieNames } from '../../src/bff/http/cookie.ts'

export const APP = 'http://localhost:3000'
export const COOKIES = cookieNames(APP)
export const { session: SESSION_COOKIE, login: LOGIN_COOKIE, browser: BROWSER_COOKIE } = COOKIES
export const SERVICE = 'http://127.0.0.1:4000'
export const STANDARD = '1001'
export const BUSINESS = '2002'
export const SECRET = 'canary-client-secret-8d1f'

export const CONFIG: BffConfig = {
  serviceUrl: SERVICE,
  clientId: 'plimsoll-test',
  clientSecret: SECRET,
  publicUrl: APP,
  tokenEncoding: 'form',
  apiKeyHeader: 'X-Service-Api-Key',
  pkce: 'off',
  reservePerson: 10,
  reserveSignIn: 2,
  sessionDays: 90,
  sessionIdleDays: 30,
}
