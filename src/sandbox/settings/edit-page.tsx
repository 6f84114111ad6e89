/** @jsxImportSource hono/jsx */
/** The common frame of the edit pages of an API key and of an application (5.1.4, 5.2.5). */
import type { Child } from 'hono/jsx'
import { Refusal } from '../http/problem.tsx'
import { ownValue } from '../state/state.ts'
import { changeDisabled, DisablingForm } from './disabling.tsx'
import { ErrorList, type FormErrors, hasErrors, OwnForm } from './field.tsx'
import type { CredentialKind, IssuedCredential } from './maximum.tsx'
import type { Member } from './member.ts'
import { type Confirmation, redirectToSettings, settingsLink, writeSettings } from './settings-page.tsx'
import type { Answered } from '../http/handler-context.ts'

/** By the value of the button. */
export type EditActions<Kind extends IssuedCredential> = Record<
  string,
  (member: Member, issued: Kind, form: URLSearchParams) => Answered
>

/** @throws Refusal `invalid_request` for an unknown action */
export function runAction<Kind extends IssuedCredential>(
  actions: EditActions<Kind>,
  member: Member,
  issued: Kind,
  form: URLSearchParams,
): Answered {
  const act = ownValue(actions, form.getAll('action').join(' '))
  if (act === undefined) throw new Refusal('invalid_request')
  return act(member, issued, form)
}

export const disablingActions = (
  kind: CredentialKind,
  confirmations: { disable: Confirmation; enable: Confirmation },
): EditActions<IssuedCredential> => {
  const actionOf = (action: 'disable' | 'enable') => (member: Member, issued: IssuedCredential) => {
    changeDisabled(member, kind, issued, action)
    return redirectToSettings(member, kind.path, confirmations[action])
  }
  return { disable: actionOf('disable'), enable: actionOf('enable') }
}

interface EditPage {
  kind: CredentialKind
  issued: IssuedCredential
  title: string
  /** Absent if nothing can be edited. */
  fields?: Child
  /** In place of the fields. */
  note?: string
  errors: FormErrors
  /** The action that makes a new value, if it is offered. */
  renewal?: { title: string; means: string } | undefined
  /** The text that explains the deletion. */
  deletion: string
}

/** With errors the status is 422. */
export function writeEditPage(member: Member, page: EditPage): Answered {
  const { kind, issued, title, fields, note, errors, renewal, deletion } = page
  return writeSettings(
    member,
    { title, ...(hasErrors(errors) && { status: 422, hasErrors: true }) },
    <>
      {fields === undefined ? (
        <p class="lead">{note}</p>
      ) : (
        <section class="card">
          <ErrorList errors={errors} />
          <OwnForm member={member} class="form">
            {fields}
            <div class="answers">
              <button class="primary" name="action" value="save">
                Save
              </button>
              <a class="button" href={settingsLink(member, kind.path)}>
                Cancel
              </a>
            </div>
          </OwnForm>
        </section>
      )}
      <DisablingForm member={member} kind={kind} issued={issued} />
      {renewal && <ConfirmedAction member={member} action="renew" {...renewal} />}
      <ConfirmedAction member={member} action="delete" title={`Delete ${kind.one}`} means={deletion} />
    </>,
  )
}

interface ConfirmedActionProps {
  member: Member
  action: string
  title: string
  means: string
}

/** It cannot be undone, so its button is hidden until the section is opened. */
const ConfirmedAction = ({ member, action, title, means }: ConfirmedActionProps) => (
  <details class="card confirm">
    <summary>{title}</summary>
    <p>{means}</p>
    <OwnForm member={member}>
      <button class="danger" name="action" value={action}>
        {title}
      </button>
    </OwnForm>
  </details>
)
