/** What a person has permitted, as codes and tokens: issues them, revokes them, and forgets those that are over. */
import { ACCESS_TOKEN_LIFETIME_SECONDS, type TokenResponse } from '../contract/token.ts'
import { forget, type Frozen, type PendingAuthorization, type SandboxState } from './state.ts'
import type { World } from './world.ts'

/** Issues the code for what was just permitted. */
export function issueCode(world: World, permitted: Frozen<PendingAuthorization>): string {
  const { client_id, person_id, organization_id, redirect_uri } = permitted
  const [grantId, code] = [world.draw(), world.draw()]
  world.change((state) => {
    forgetOver(world, state)
    state.grants[grantId] = { client_id, person_id, organization_id }
    state.codes[code] = { grant_id: grantId, redirect_uri, issued_at_ms: world.nowMs, used: false }
  })
  return code
}

/** Issues an access token beside a refresh token, new or kept; earlier access tokens stay valid to their own end. */
export function issueTokens(world: World, grantId: string, refreshToken: string): TokenResponse {
  const accessToken = world.draw()
  world.change((state) => {
    state.access_tokens[accessToken] = { grant_id: grantId, issued_at_ms: world.nowMs }
    state.refresh_tokens[refreshToken] ??= { grant_id: grantId, issued_at_ms: world.nowMs }
    // Only now: before, a grant whose old tokens are all over would look as if nobody held it.
    forgetOver(world, state)
  })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    refresh_token: refreshToken,
  }
}

/** Ends every token of a grant (RFC 6749 4.1.2). */
export function revokeTokens(world: World, grantId: string): void {
  world.change(({ access_tokens, refresh_tokens }) => {
    for (const tokens of [access_tokens, refresh_tokens])
      forget(tokens, ({ grant_id }) => grant_id === grantId)
  })
}

/** Whether something issued has reached the end of its lifetime; one without a lifetime never does. */
export const isOver = (
  { nowMs }: Pick<World, 'nowMs'>,
  { issued_at_ms }: { issued_at_ms: number },
  lifetimeSeconds: number | undefined,
): boolean => lifetimeSeconds !== undefined && nowMs - issued_at_ms >= lifetimeSeconds * 1000

/** A used code is known for as long as its tokens can be refreshed, so that its coming again still revokes them. */
function forgetOver(world: World, state: SandboxState): void {
  const { code_lifetime_seconds, refresh_token_lifetime_seconds } = world.choices
  forget(state.access_tokens, (token) => isOver(world, token, ACCESS_TOKEN_LIFETIME_SECONDS))
  forget(state.refresh_tokens, (token) => isOver(world, token, refresh_token_lifetime_seconds))
  const tokens = [...Object.values(state.access_tokens), ...Object.values(state.refresh_tokens)]
  const alive = new Set(tokens.map(({ grant_id }) => grant_id))
  forget(state.codes, (code) => isOver(world, code, code_lifetime_seconds) && !alive.has(code.grant_id))
  for (const { grant_id } of Object.values(state.codes)) alive.add(grant_id)
  for (const id of Object.keys(state.grants)) if (!alive.has(id)) delete state.grants[id]
}
