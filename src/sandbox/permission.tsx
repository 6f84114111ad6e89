/** @jsxImportSource hono/jsx */
/** Asks the person for permission, and sends the browser back with the answer (4.1). */
import { readOwnForm, valueOf } from './form.ts'
import { issueCode } from './grant.ts'
import { linkTo, writePage } from './page.tsx'
import { personOf } from './person.tsx'
import { Refusal } from './problem.tsx'
import {
  type Application,
  forget,
  type Frozen,
  lookUp,
  type Organization,
  type PendingAuthorization,
  type Person,
} from './state.ts'
import type { Visit, World } from './world.ts'

/** Path of the form's answer, below {base_url}; ours, the document names none. */
export const PERMISSION_PATH = '/oauth2/permission'

/** How long a permission page can be answered. */
const ANSWER_WITHIN_SECONDS = 600

interface Question {
  application: Frozen<Application>
  redirectUri: string
  state: string | undefined
  person: Frozen<Person>
  organization: Frozen<Organization>
}

/** The permission page (4.1). Its form carries a value that can be used once, by this person, for this request (RFC 6749 10.12). */
export function askPermission(
  c: Visit,
  { application, redirectUri, state, person, organization }: Question,
): Response | Promise<Response> {
  const world = c.get('world')
  const ticket = world.draw()
  world.change(({ pending }) => {
    forget(pending, (known) => isStale(known, world.nowMs))
    pending[ticket] = {
      client_id: application.client_id,
      redirect_uri: redirectUri,
      ...(state !== undefined && { state }),
      organization_id: organization.id,
      person_id: person.id,
      asked_at_ms: world.nowMs,
    }
  })
  return writePage(
    c,
    { title: `Permit ${application.name}?`, person, redirectUri },
    <section class="card">
      <h1>
        {application.name} asks for access to {organization.name}
      </h1>
      {application.description && <p>{application.description}</p>}
      <dl class="facts">
        <div>
          <dt>Application</dt>
          <dd>{application.name}</dd>
        </div>
        <div>
          <dt>Organization</dt>
          <dd>
            {organization.name} <span class="chip capital">{organization.plan}</span>
          </dd>
        </div>
        <div>
          <dt>In the name of</dt>
          <dd>{person.name}</dd>
        </div>
        <div>
          <dt>Goes back to</dt>
          <dd class="address">{redirectUri}</dd>
        </div>
      </dl>
      <p class="quiet">
        It will be able to use the API for this organization as you. Its requests count towards the limits of
        the organization.
      </p>
      <form method="post" action={linkTo(c, PERMISSION_PATH.slice(1))}>
        <input type="hidden" name="ticket" value={ticket} />
        <div class="answers">
          <button class="primary" name="answer" value="permit">
            Permit
          </button>
          <button name="answer" value="deny">
            Deny
          </button>
        </div>
      </form>
    </section>,
  )
}

/**
 * `POST {base_url}/oauth2/permission`: the answer to the permission page.
 * @throws Refusal `stale_form` where the question is not open, or not this person's
 */
export async function answerPermission(c: Visit): Promise<Response> {
  const form = await readOwnForm(c)
  const world = c.get('world')
  const ticket = valueOf(form, 'ticket') ?? ''
  const asked = lookUp(world.state.pending, ticket)
  const answer = valueOf(form, 'answer')
  if (asked === undefined || isStale(asked, world.nowMs) || asked.person_id !== personOf(c)?.id)
    throw new Refusal('stale_form')
  if (answer !== 'permit' && answer !== 'deny') throw new Refusal('invalid_request')
  world.change(({ pending }) => {
    delete pending[ticket]
  })
  const fault = { error: world.choices.denial.error, says: 'The person did not permit it.' }
  const outcome = answer === 'permit' ? { code: issueCode(world, asked) } : fault
  // RFC 9700 4.12: 303, so that the form's fields are not sent on.
  return c.redirect(addressBack(world, asked.redirect_uri, asked.state, outcome), 303)
}

/** The registered redirect URI as it stands, its own query kept (RFC 6749 3.1.2), with the parameters of 4.1 added. */
export function addressBack(
  { choices: { redirect_parameters: names } }: World,
  redirectUri: string,
  state: string | undefined,
  outcome: { code: string } | { error: string; says: string },
): string {
  const added = new URLSearchParams(
    'code' in outcome
      ? { [names.code]: outcome.code }
      : { [names.error]: outcome.error, error_description: outcome.says },
  )
  if (state !== undefined) added.set(names.state, state)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added.toString()}`
}

const isStale = ({ asked_at_ms }: Frozen<PendingAuthorization>, nowMs: number): boolean =>
  nowMs - asked_at_ms >= ANSWER_WITHIN_SECONDS * 1000
