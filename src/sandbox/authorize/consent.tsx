/** @jsxImportSource hono/jsx */
/** Asks the person for permission, and sends the browser back with the answer (4.1). */
import { MINUTE_MS } from '../../contract/duration.ts'
import { organizationById } from '../api/organization.ts'
import { isRepeated, readOwnForm, valueOf } from '../http/form.ts'
import { type Answered, type HandlerContext, queryOf, Refusal } from '../http/handler.ts'
import { Facts, linkTo, writePage } from '../http/page.tsx'
import { addRecord, applicationWithId } from '../state/issued.ts'
import type { Application, Organization, Person } from '../state/seed.ts'
import { ownValue, type PendingAuthorization } from '../state/state.ts'
import { issueCode } from '../token/grant.ts'
import { signedInPerson } from './login.tsx'
import { redirectWithCode, redirectWithDenial } from './redirect.tsx'

/** Below {base_url}. The document has no such path. */
export const CONSENT_PATH = '/oauth2/permission'

const ANSWER_WITHIN_MS = 10 * MINUTE_MS

export interface Question {
  application: Application
  person: Person
  organization: Organization
  asked: Pick<PendingAuthorization, 'redirect_uri' | 'is_redirect_uri_optional' | 'state' | 'code_challenge'>
}

/** Section 4.1. The CSRF token is valid once, for this person and request (RFC 6749 10.12). */
export function consentPage(c: HandlerContext, question: Question): Answered {
  const { application, person, organization, asked } = question
  const context = c.get('context')
  const csrfToken = context.nextRandom()
  addRecord(context.state, 'pending', [csrfToken, pendingOf(question, context.nowMs)], (known) =>
    isStale(known, context.nowMs),
  )
  return writePage(
    c,
    { title: `Permit ${application.name}?`, person, leadsAway: true },
    <section>
      <h1>
        {application.name} asks for access to {organization.name}
      </h1>
      {application.description && <p>{application.description}</p>}
      <Facts
        facts={[
          ['Application', application.name],
          ['Organization', `${organization.name} (${organization.plan})`],
          ['In the name of', person.name],
          ['Goes back to', asked.redirect_uri],
        ]}
      />
      <p>
        It will be able to use the API for this organization as you. Its requests count towards the limits of
        the organization.
      </p>
      <form method="post" action={linkTo(c, CONSENT_PATH.slice(1))}>
        <input type="hidden" name="csrf_token" value={csrfToken} />
        <button class="primary" name="answer" value="permit">
          Permit
        </button>{' '}
        <button name="answer" value="deny">
          Deny
        </button>
      </form>
    </section>,
  )
}

/** @throws Refusal `stale_form` if the page was answered, is too old, or belongs to another person */
export async function answerConsent(c: HandlerContext): Promise<Response> {
  const form = await readOwnForm(c)
  const context = c.get('context')
  const csrfToken = valueOf(form, 'csrf_token') ?? ''
  const asked = ownValue(context.state.pending, csrfToken)
  const answer = valueOf(form, 'answer')
  if (asked === undefined || isStale(asked, context.nowMs) || asked.person_id !== signedInPerson(c)?.id)
    throw new Refusal('stale_form')
  // The application was deleted after the page was shown.
  if (applicationWithId(context, asked.client_id) === undefined) throw new Refusal('stale_form')
  if ((answer !== 'permit' && answer !== 'deny') || isRepeated(form, 'answer'))
    throw new Refusal('invalid_request')
  delete context.state.pending[csrfToken]
  return answer === 'permit' ? sendCode(c, asked) : redirectWithDenial(c, asked)
}

export function sendCode(c: HandlerContext, asked: PendingAuthorization): Answered {
  const code = issueCode(c.get('context'), asked)
  return redirectWithCode(c, asked, { code, organizationId: asked.organization_id })
}

export const pendingOf = (
  { application, person, organization, asked }: Question,
  nowMs: number,
): PendingAuthorization => ({
  client_id: application.client_id,
  person_id: person.id,
  organization_id: organization.id,
  ...asked,
  asked_at_ms: nowMs,
})

const isStale = ({ asked_at_ms }: PendingAuthorization, nowMs: number): boolean =>
  nowMs - asked_at_ms >= ANSWER_WITHIN_MS

/** Asks for an organization if the request has no valid one and `picker` is chosen (U10). */
export function organizationPicker(
  c: HandlerContext,
  { application, person }: Omit<Question, 'organization'>,
): Answered {
  const links = person.organizations.map(({ organization_id }) => {
    const query = new URLSearchParams(queryOf(c))
    query.set('organization_id', String(organization_id))
    const name = organizationById(c.get('context').state, String(organization_id))?.name
    return { href: `${linkTo(c, c.req.path.slice(1))}?${query.toString()}`, name: name ?? organization_id }
  })
  return writePage(
    c,
    { title: 'Which organization?', person },
    <section>
      <h1>Which organization is {application.name} for?</h1>
      <nav>
        {links.map(({ href, name }) => (
          <a key={href} href={href}>
            {name}
          </a>
        ))}
      </nav>
    </section>,
  )
}
