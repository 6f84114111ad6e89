/** The answer of `/bff/session`: who is signed in, and what the browser may know of the application. */
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import type { OtherSession, SessionEnd, SignedIn, SignedOut } from '../../contract/session.ts'
import type { Context } from '../core/context.ts'
import { type LoadedSession, publicIdOf } from '../session/record.ts'
import { redirectUri } from '../token/token.ts'

/** @param others sessions of this browser that are open and not in use */
export const signedIn = (
  context: Context,
  session: LoadedSession,
  others: readonly LoadedSession[],
): SignedIn => ({
  signed_in: true,
  ...named(session),
  ends_in: Math.floor((session.endsAtMs - context.now()) / 1000),
  ...everyAnswer(context, others),
})

/** The answer to those who are not signed in. */
export const signedOut = (
  context: Pick<Context, 'config'>,
  others: readonly LoadedSession[] = [],
  ended?: SessionEnd,
): SignedOut => ({
  signed_in: false,
  ...(ended && { ended }),
  ...everyAnswer(context, others),
})

function named(session: LoadedSession): OtherSession {
  const { credential } = session.record
  const id = publicIdOf(session)
  return credential.method === 'oauth'
    ? { id, method: 'oauth', organization_id: credential.organizationId }
    : { id, method: 'api_key' }
}

const everyAnswer = ({ config }: Pick<Context, 'config'>, others: readonly LoadedSession[]) => ({
  authorize: {
    authorization_endpoint: config.serviceUrl + AUTHORIZATION_PATH,
    client_id: config.clientId,
    redirect_uri: redirectUri(config),
    ...(config.pkce === 'S256' ? ({ code_challenge_method: 'S256' } as const) : {}),
  },
  ...(config.sandbox && { sandbox: config.sandbox }),
  ...(others.length > 0 && { others: others.map(named) }),
})
