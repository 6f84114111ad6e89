// A service that gives tokens and a record to everyone, for tests whose subject is the app.
import { endLater } from './_cleanup.ts'
import { openService, type ServiceAnswer } from './_other-service.ts'

export const TOKENS = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt' }

const giveEveryone: ServiceAnswer = (path) => ({
  body: path.endsWith('/token') ? JSON.stringify(TOKENS) : '{"id": 7}',
})

/** Opens the service until the file ends. @returns the settings of an app that uses it */
export async function openTokenService(answer = giveEveryone) {
  const service = await openService(answer)
  endLater(service.close)
  return {
    PLIMSOLL_SERVICE_URL: service.url,
    PLIMSOLL_CLIENT_ID: 'an-app',
    PLIMSOLL_CLIENT_SECRET: 'a-secret',
  }
}
