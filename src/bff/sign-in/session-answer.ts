/** The answer of `/bff/session`: who is signed in, and the application's public data. */
import type { Counts } from '../../contract/assumptions.ts'
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { planPage } from '../../contract/readings.ts'
import type { OtherSession, SessionEnd, SignedIn, SignedOut } from '../../contract/session.ts'
import type { Context } from '../core/context.ts'
import { signInCounts } from '../evidence/findings.ts'
import { type LoadedSession, publicIdOf } from '../session/record.ts'
import { redirectUri } from '../token/token.ts'

/** @param others the browser's open sessions that are not in use */
export const signedIn = async (
  context: Context,
  session: LoadedSession,
  others: readonly LoadedSession[],
): Promise<SignedIn> => {
  const name = named(session)
  return {
    signed_in: true,
    ...name,
    ...(!session.record.proven && { confirmed: false }),
    ends_in: Math.floor((session.endsAtMs - context.now()) / SECOND_MS),
    plan_page: planPage(context.config.serviceUrl, name.organization_id),
    ...everyAnswer(context, await signInCounts(context), others),
  }
}

export const signedOut = async (
  context: Context,
  others: readonly LoadedSession[] = [],
  ended?: SessionEnd,
): Promise<SignedOut> => ({
  signed_in: false,
  ...(ended && { ended }),
  ...everyAnswer(context, await signInCounts(context), others),
})

function named(session: LoadedSession): OtherSession {
  const { credential } = session.record
  const id = publicIdOf(session)
  return credential.method === 'oauth'
    ? { id, method: 'oauth', organization_id: credential.organizationId }
    : { id, method: 'api_key' }
}

const everyAnswer = (
  { config }: Pick<Context, 'config'>,
  counts?: Counts,
  others: readonly LoadedSession[] = [],
) => ({
  authorize: {
    authorization_endpoint: config.serviceUrl + AUTHORIZATION_PATH,
    client_id: config.clientId,
    redirect_uri: redirectUri(config),
    ...(config.pkce === 'S256' ? ({ code_challenge_method: 'S256' } as const) : {}),
  },
  ...(config.sandbox && { sandbox: config.sandbox }),
  ...(counts && { sign_in_counts: counts }),
  ...(others.length > 0 && { others: others.map(named) }),
})
