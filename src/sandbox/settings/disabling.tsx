/** @jsxImportSource hono/jsx */
/** Disables and enables keys and applications, if that is offered (U51, U74). */
import { OwnForm } from './field.tsx'
import { type CredentialKind, type IssuedCredential, maximumReason } from './maximum.tsx'
import type { Member } from './member.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { ApiKey, Application } from '../state/seed.ts'

const CAN_BE_DISABLED: Record<Choices['states'], boolean> = {
  exist_or_deleted: false,
  can_be_disabled: true,
  grants_withdrawable: false,
}

/** Every choice lets a person enable what a plan change has disabled. */
const offeredAction = (
  { context }: Member,
  { disabled_by }: IssuedCredential,
): 'disable' | 'enable' | undefined => {
  if (disabled_by !== undefined) return 'enable'
  return CAN_BE_DISABLED[context.choices.states] ? 'disable' : undefined
}

/** More would be in use than the plan allows (8.1). */
const reasonAgainstEnabling = (member: Member, kind: CredentialKind): string | undefined =>
  maximumReason(member, kind, 'in use', ({ disabled_by }) => disabled_by === undefined)

/** @throws Refusal `invalid_request` if it is not offered, `maximum_reached` if the plan allows no more */
export function changeDisabled(
  member: Member,
  kind: CredentialKind,
  issued: IssuedCredential,
  action: 'disable' | 'enable',
): void {
  if (offeredAction(member, issued) !== action) throw new Refusal('invalid_request')
  const reason = action === 'enable' ? reasonAgainstEnabling(member, kind) : undefined
  if (reason !== undefined) throw new Refusal('maximum_reached', { description: reason })
  const isSame = (one: ApiKey | Application) =>
    'client_id' in issued
      ? 'client_id' in one && one.client_id === issued.client_id
      : 'value' in one && one.value === issued.value
  member.context.change(({ api_keys, applications }) => {
    for (const one of [...api_keys, ...applications].filter(isSame))
      if (action === 'disable') one.disabled_by = 'person'
      else delete one.disabled_by
  })
}

/** Empty if neither is offered. */
export const DisablingForm = ({
  member,
  kind,
  issued,
}: {
  member: Member
  kind: CredentialKind
  issued: IssuedCredential
}) => {
  const action = offeredAction(member, issued)
  if (action === undefined) return <></>
  const reason = action === 'enable' ? reasonAgainstEnabling(member, kind) : undefined
  return (
    <section class="card" aria-labelledby="disable">
      <h2 id="disable">
        {action === 'disable' ? `Disable this ${kind.one}` : `This ${kind.one} is disabled`}
      </h2>
      <p class="quiet" id="disable-means">
        {reason ??
          (action === 'disable'
            ? 'It is refused until it is enabled again. It still counts for the maximum of the plan.'
            : 'It is refused until it is enabled again.')}
      </p>
      <OwnForm member={member}>
        <button name="action" value={action} disabled={reason !== undefined} aria-describedby="disable-means">
          {action === 'disable' ? 'Disable' : 'Enable'} {kind.one}
        </button>
      </OwnForm>
    </section>
  )
}

export const StateChip = ({ issued: { disabled_by } }: { issued: IssuedCredential }) => {
  if (disabled_by === undefined) return <></>
  return <span class="chip off">{disabled_by === 'plan' ? 'disabled by the plan' : 'disabled'}</span>
}
