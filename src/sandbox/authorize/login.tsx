/** @jsxImportSource hono/jsx */
/** Signs a person in: whoever is picked from the list. The sandbox has no passwords, and says so. */
import { getCookie, setCookie } from 'hono/cookie'
import { isRepeated, readOwnForm, valueOf } from '../http/form.ts'
import { writePage } from '../http/page.tsx'
import { Refusal } from '../http/problem.tsx'
import { type Frozen, lookUp, type Person, type SandboxState } from '../state/state.ts'
import { addRecord } from '../state/sweep.ts'
import type { HonoContext } from '../state/context.ts'

const COOKIE = 'sandbox_person'
const SIGN_IN_LIFETIME_SECONDS = 12 * 3600

/** Who is signed in in this browser. */
export function signedInPerson(c: HonoContext): Frozen<Person> | undefined {
  const { state, nowMs } = c.get('context')
  const signIn = lookUp(state.sign_ins, getCookie(c, COOKIE) ?? '')
  if (signIn === undefined || isOver(signIn, nowMs)) return undefined
  return state.people.find(({ id }) => id === signIn.person_id)
}

/** A page that is for people who are signed in; anybody else is asked who they are first, at the same address. */
export const requireLogin =
  (page: (c: HonoContext, person: Frozen<Person>) => Response | Promise<Response>) =>
  (c: HonoContext): Response | Promise<Response> => {
    const person = signedInPerson(c)
    return person ? page(c, person) : loginPage(c)
  }

/** A form posted to the address of any page: `person_id` signs in, an empty one signs out; then the page is shown again. */
export async function signIn(c: HonoContext): Promise<Response> {
  const form = await readOwnForm(c)
  if (isRepeated(form, 'person_id')) throw new Refusal('invalid_request')
  const personId = valueOf(form, 'person_id')
  const context = c.get('context')
  if (personId !== undefined && !context.state.people.some(({ id }) => id === personId))
    throw new Refusal('invalid_request', { description: 'Nobody of that name can sign in here.' })
  const former = getCookie(c, COOKIE) ?? ''
  // A new value with every sign-in, so that one planted before it is worth nothing after it.
  const value = personId === undefined ? '' : context.nextRandom()
  context.change((state) => {
    delete state.sign_ins[former]
    if (personId === undefined) return
    const signedIn = { person_id: personId, signed_in_at_ms: context.nowMs }
    addRecord(state, 'sign_ins', [value, signedIn], (known) => isOver(known, context.nowMs))
  })
  const { pathname, search, protocol } = new URL(c.req.url)
  setCookie(c, COOKIE, value, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: protocol === 'https:',
    path: context.basePath || '/',
    ...(value === '' && { maxAge: 0 }),
  })
  // RFC 9700 4.12: 303. Relative, so that it holds under any path in front of ours.
  return c.redirect(`${pathname.slice(pathname.lastIndexOf('/') + 1)}${search}`, 303)
}

/** The sign-in page. @param redirectUri where a request can lead at once when it has a fault */
export function loginPage(c: HonoContext, redirectUri?: string): Response | Promise<Response> {
  const { state } = c.get('context')
  return writePage(
    c,
    { title: 'Sign in', ...(redirectUri !== undefined && { redirectUri }) },
    <>
      <h1>Who are you?</h1>
      <p class="quiet">Pick a person to sign in as. The sandbox asks for no password.</p>
      <form method="post">
        <ul class="people">
          {state.people.map((person) => (
            <li key={person.id}>
              <button name="person_id" value={person.id}>
                <strong>{person.name}</strong>
                <span class="capital">{rolesOf(state, person)}</span>
              </button>
            </li>
          ))}
        </ul>
      </form>
    </>,
  )
}

/** As "administrator of Harbour Rope Works, member of Meridian Shipping". */
export const rolesOf = (
  { organizations }: Frozen<Pick<SandboxState, 'organizations'>>,
  person: Frozen<Person>,
): string =>
  person.organizations
    .map(({ organization_id, role }) => {
      const organization = organizations.find(({ id }) => id === organization_id)
      return `${role} of ${organization?.name ?? organization_id}`
    })
    .join(', ')

const isOver = ({ signed_in_at_ms }: { signed_in_at_ms: number }, nowMs: number): boolean =>
  nowMs - signed_in_at_ms >= SIGN_IN_LIFETIME_SECONDS * 1000
