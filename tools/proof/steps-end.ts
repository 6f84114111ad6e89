/** Steps in which access ends: withdrawn, deleted or signed out, and the use of a cookie afterwards. */
import { API_KEY, CLIENT_ID } from './context.ts'
import { HOUR, type Journey, MINUTE, outcomeOf, SECOND } from './journey.ts'
import { User } from './user.ts'

/** Ben withdraws his permission: on the service's page if it has one, otherwise through its operators. */
export async function grantWithdrawn(journey: Journey): Promise<void> {
  const { context, path, standard, choices } = journey
  const isOnPage = choices.states === 'grants_withdrawable'
  const ben = new User(context, 'Ben')
  await journey.expectOk('Ben signs in', await ben.signIn(standard), ben)
  if (isOnPage) await ben.withdraw(standard)
  else endGrants(journey, 'ben')
  const cookies = new Map(ben.cookies)
  const ending = await pressUntilEnd(journey, ben, path)
  journey.reached('grant withdrawn', `${ending}, ${isOnPage ? 'on the page' : 'by the operators'}`)
  await useAfterEnd(journey, ben, cookies, 'revocation')
}

/** The state that the service deletes with a grant (RFC 7009 2.1). */
function endGrants({ context }: Journey, personId: string): void {
  context.edit((state) => {
    const ended = Object.keys(state.grants).filter((id) => state.grants[id]?.person_id === personId)
    const isLeft = ([, { grant_id }]: [string, { grant_id: string }]) => !ended.includes(grant_id)
    for (const id of ended) delete state.grants[id]
    state.refresh_tokens = Object.fromEntries(Object.entries(state.refresh_tokens).filter(isLeft))
    state.codes = Object.fromEntries(Object.entries(state.codes).filter(isLeft))
    state.access_tokens = Object.fromEntries(Object.entries(state.access_tokens).filter(isLeft))
  })
}

/** Presses at once, and when the access token has expired: then the client must have noticed the end. */
async function pressUntilEnd(journey: Journey, user: User, path: string): Promise<string> {
  let outcome = ''
  for (const ms of [SECOND, HOUR + MINUTE]) {
    journey.context.advance(ms)
    const ending = await user.press(path)
    outcome = outcomeOf(ending)
    await journey.note('access ended', ending, user)
    if (outcome === 'access_withdrawn') return `access_withdrawn ${ms === SECOND ? 'at once' : 'at expiry'}`
  }
  return outcome
}

/** The invariants check whether the session has ended for good. */
async function useAfterEnd(
  journey: Journey,
  user: User,
  cookies: ReadonlyMap<string, string>,
  end: string,
): Promise<void> {
  for (const [name, value] of cookies) user.cookies.set(name, value)
  await user.session()
  for (const [name, value] of cookies) user.cookies.set(name, value)
  const ending = await user.press(journey.path)
  await journey.note(`cookie after ${end}`, ending, user)
  journey.outcome('old cookie', `after ${end}: ${outcomeOf(ending)}`)
  user.cookies.clear()
}

/** An administrator deletes the application and registers it again: no permission of a user is left. */
export async function appDeleted(journey: Journey): Promise<void> {
  const { ada, context, path } = journey
  const { applications } = context.look().state
  context.edit((state) => {
    state.applications = state.applications.filter(({ client_id }) => client_id !== CLIENT_ID)
    Object.assign(state, { grants: {}, codes: {}, access_tokens: {}, refresh_tokens: {} })
  })
  journey.reached('application deleted', await pressUntilEnd(journey, ada, path))
  context.edit((state) => {
    state.applications = applications
  })
  if (await ada.isSignedIn())
    journey.reached('application registered again', await pressUntilEnd(journey, ada, path))
}

export async function signOut(journey: Journey): Promise<void> {
  const { ada } = journey
  if (!(await ada.isSignedIn())) await journey.signInAgain('before the sign-out')
  const cookies = new Map(ada.cookies)
  await journey.expectOk('sign-out', await ada.signOut())
  await useAfterEnd(journey, ada, cookies, 'sign-out')
}

/** A key of each organization is used in two browsers; then one is deleted. */
export async function byKey(journey: Journey): Promise<void> {
  const { context, standard, business } = journey
  const keyOfBusiness = context.look().state.api_keys.find(({ organization_id }) => organization_id === 2002)
  const [own, other] = [new User(context, 'Ada'), new User(context, 'Cleo')]
  const signedIn = await Promise.all([
    own.signInByKey(API_KEY, standard),
    other.signInByKey(keyOfBusiness?.value ?? '', business),
  ])
  for (const ending of signedIn) await journey.expectOk('key', ending, own)
  for (const path of ['/organizations', '/rate_limit']) {
    const endings = await Promise.all([own, other].map((user) => user.press(path)))
    for (const ending of endings) await journey.expectOk(`key: ${path}`, ending, own)
  }
  context.edit((state) => {
    state.api_keys = state.api_keys.filter(({ value }) => value !== API_KEY)
  })
  context.advance(62 * SECOND)
  const ending = await own.press('/organizations')
  await journey.note('key deleted', ending, own)
  journey.reached('key deleted', outcomeOf(ending))
  await journey.expectOk('key: sign-out', await own.signOut(), own)
}
