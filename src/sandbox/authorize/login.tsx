/** @jsxImportSource hono/jsx */
/** Signs a person in without a password: the person is chosen from a list. */
import { parse, serialize } from 'hono/utils/cookie'
import { HOUR_MS } from '../../contract/duration.ts'
import { isRepeated, readOwnForm, valueOf } from '../http/form.ts'
import { type Answered, type HandlerContext, Refusal, write } from '../http/handler.ts'
import { writePage } from '../http/page.tsx'
import { addRecord } from '../state/issued.ts'
import type { Person } from '../state/seed.ts'
import { ownValue, type SandboxState } from '../state/state.ts'

/** With the port, since cookies have none (RFC 6265 8.5): two sandboxes on one machine stay apart. */
const cookieName = ({ req }: HandlerContext): string => {
  const { port } = new URL(req.url)
  return port === '' ? 'sandbox_person' : `sandbox_person_${port}`
}

const SIGN_IN_LIFETIME_MS = 12 * HOUR_MS

export function cookieOf(c: HandlerContext): string {
  const name = cookieName(c)
  return parse(c.req.header('Cookie') ?? '', name)[name] ?? ''
}

export function signedInPerson(c: HandlerContext): Person | undefined {
  const { state, nowMs } = c.get('context')
  const signIn = ownValue(state.sign_ins, cookieOf(c))
  if (signIn === undefined || isExpired(signIn, nowMs)) return undefined
  return state.people.find(({ id }) => id === signIn.person_id)
}

/** Others get the sign-in page at the same path. */
export const requireLogin =
  (page: (c: HandlerContext, person: Person) => Answered) =>
  (c: HandlerContext): Answered => {
    const person = signedInPerson(c)
    return person ? page(c, person) : loginPage(c)
  }

/** Every page takes this form at its own address: `person_id` signs in, an empty one signs out. */
export async function signIn(c: HandlerContext, read?: URLSearchParams): Promise<Response> {
  const form = read ?? (await readOwnForm(c))
  if (isRepeated(form, 'person_id')) throw new Refusal('invalid_request')
  const personId = valueOf(form, 'person_id')
  const context = c.get('context')
  if (personId !== undefined && !context.state.people.some(({ id }) => id === personId))
    throw new Refusal('invalid_request', { description: 'There is no person with this id.' })
  const former = cookieOf(c)
  // Every sign-in gets a new value, against session fixation.
  const value = personId === undefined ? '' : context.nextRandom()
  delete context.state.sign_ins[former]
  if (personId !== undefined) {
    const signedIn = { person_id: personId, signed_in_at_ms: context.nowMs }
    addRecord(context.state, 'sign_ins', [value, signedIn], (known) => isExpired(known, context.nowMs))
  }
  const { pathname, search, protocol } = new URL(c.req.url)
  const cookie = serialize(cookieName(c), value, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: protocol === 'https:',
    path: context.basePath || '/',
    ...(value === '' && { maxAge: 0 }),
  })
  // RFC 9700 4.12 asks for 303. A relative address is right under every base path.
  const Location = `${pathname.slice(pathname.lastIndexOf('/') + 1)}${search}`
  return write(c, 303, null, { Location, 'Set-Cookie': cookie })
}

/** @param leadsAway true if the sign-in may end at a redirect URI */
export function loginPage(c: HandlerContext, leadsAway = false): Answered {
  const { state } = c.get('context')
  return writePage(
    c,
    { title: 'Sign in', leadsAway },
    <>
      <h1>Who are you?</h1>
      <p>Pick a person to sign in as. The sandbox asks for no password.</p>
      <form method="post" class="people">
        {state.people.map((person) => (
          <button key={person.id} name="person_id" value={person.id}>
            <strong>{person.name}</strong>
            <small>{rolesOf(state, person)}</small>
          </button>
        ))}
      </form>
    </>,
  )
}

/** For example "administrator of Harbour Rope Works, member of Meridian Shipping". */
export const rolesOf = ({ organizations }: SandboxState, person: Person): string =>
  person.organizations
    .map(({ organization_id, role }) => {
      const organization = organizations.find(({ id }) => id === organization_id)
      return `${role} of ${organization?.name ?? organization_id}`
    })
    .join(', ')

const isExpired = ({ signed_in_at_ms }: { signed_in_at_ms: number }, nowMs: number): boolean =>
  nowMs - signed_in_at_ms >= SIGN_IN_LIFETIME_MS
