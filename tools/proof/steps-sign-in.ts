/** Steps in which users sign in, or fail to. */
import { type Journey, outcomeOf, SECOND } from './journey.ts'
import { User } from './user.ts'

/** Whatever the service shows for an unknown client id, the user can start the sign-in again. */
export async function misconfigured(journey: Journey): Promise<void> {
  const user = new User(journey.context)
  const ending = await user.signIn(journey.standard, 'Permit', ({ searchParams }) =>
    searchParams.set('client_id', 'unregistered'),
  )
  await journey.note('unknown application', ending, user)
  journey.reached('unknown application', outcomeOf(ending))
}

export const signIn = (journey: Journey): Promise<void> => journey.firstSignIn()

export async function earlierThisMonth(journey: Journey): Promise<void> {
  // If another client sends as much, the month would not last.
  if (!journey.unaided)
    await journey.spendEarlier((journey.choices.shared === 'yes' ? 10 : 45) - journey.othersBefore)
}

export async function read(journey: Journey): Promise<void> {
  const { ada, path } = journey
  await journey.expectOk('first screen', await ada.look(path))
  await journey.expectOk('read', await ada.press(path))
  await journey.expectOk('limits', await ada.press('/rate_limit'))
  await journey.checkMonth('after reading')
}

/** A second user of the organization and one of another organization use the client at the same time. */
export async function otherUsers(journey: Journey): Promise<void> {
  const { ada, ben, cleo, standard, business } = journey
  const [second, other] = await Promise.all([ben.signIn(standard), cleo.signIn(business)])
  await journey.expectOk('second user', second, ben)
  await journey.expectOk('user of another organization', other, cleo)
  await together(journey)
  const screens = await Promise.all([ada.look(journey.path), cleo.look(`/organizations/${business}`)])
  for (const screen of screens) await journey.expectOk('two screens at once', screen)
  await journey.checkMonth('with two organizations')
}

/** Someone claims Cleo's organization with a code that the service never issued. */
export async function madeUpCode(journey: Journey): Promise<void> {
  const { context, cleo, business } = journey
  const user = new User(context, 'Ben')
  const ending = await journey.witness('made-up code', cleo, () => user.signIn(business, 'none'))
  await journey.note('made-up code', ending, user)
  if (ending.end === 'ok') journey.fault('a made-up code opened a session')
  journey.outcome('made-up code', outcomeOf(ending))
}

export async function together(journey: Journey): Promise<void> {
  const { ada, ben, cleo } = journey
  const users = [ada, cleo, ben]
  const endings = await Promise.all(users.map((user) => user.press('/rate_limit')))
  const outcomes = await Promise.all(
    endings.map(async (ending, at) => {
      await journey.note('all at once', ending, users[at])
      return outcomeOf(ending)
    }),
  )
  journey.reached('all users at once', [...new Set(outcomes)].toSorted().join(' and '))
}

/** A finished sign-in's state comes back: once as the whole address, and once with its own code. */
export async function replay(journey: Journey): Promise<void> {
  const { ben, context } = journey
  for (const what of ['callback', 'state'] as const) {
    context.advance(SECOND)
    const ending = await ben.replay(what)
    await journey.note(`${what} replayed`, ending, ben)
    // The invariants check whether it may do so.
    journey.outcome('replay', `${what}: ${outcomeOf(ending)}`)
  }
}

export async function deny(journey: Journey): Promise<void> {
  const user = new User(journey.context, 'Ben')
  const ending = await user.signIn(journey.standard, 'Deny')
  await journey.note('denied', ending, user)
  journey.reached('permission denied', outcomeOf(ending))
}

/** A user who is not a member of the requested organization. */
export async function otherOrganization(journey: Journey): Promise<void> {
  const { cleo, business } = journey
  const user = new User(journey.context, 'Ben')
  if (!(await cleo.isSignedIn())) await journey.expectOk('Cleo signs in', await cleo.signIn(business), cleo)
  const ending = await journey.witness('other organization', cleo, () => user.signIn(business))
  await journey.note('other organization', ending, user)
  journey.reached('organization of others', outcomeOf(ending))
}
