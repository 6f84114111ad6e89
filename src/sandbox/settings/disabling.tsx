/** @jsxImportSource hono/jsx */
/** Disables keys and applications and enables them again, where they have that state (U51, U74). */
import { OwnForm } from './field.tsx'
import { type Kind, maximumOf } from './maximum.tsx'
import type { Member } from './member.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { ApiKey, Application, Frozen } from '../state/state.ts'

type Issued = Frozen<ApiKey | Application>

const CAN_BE_DISABLED: Record<Choices['states'], boolean> = {
  exist_or_deleted: false,
  can_be_disabled: true,
  grants_withdrawable: false,
}

/** What can be done with it now; what the plan has disabled can be enabled under every choice, once there is room. */
const offeredAction = ({ context }: Member, { disabled_by }: Issued): 'disable' | 'enable' | undefined => {
  if (disabled_by !== undefined) return 'enable'
  return CAN_BE_DISABLED[context.choices.states] ? 'disable' : undefined
}

/** Why it cannot be enabled: more would be in use than the plan allows (8.1). */
function reasonAgainstEnabling(member: Member, kind: Kind): string | undefined {
  const { context, organization } = member
  const most = maximumOf(member, kind)
  const inUse = kind
    .list(context.state, organization.id)
    .filter(({ disabled_by }) => disabled_by === undefined)
  if (inUse.length < most) return undefined
  return `The plan allows ${most} ${most === 1 ? kind.one : kind.many} in use, and ${inUse.length === 1 ? 'one is' : `${inUse.length} are`}.`
}

/**
 * What a key's or application's `disabled_by` becomes with an action.
 * @throws Refusal `invalid_request` where it is not offered, `maximum_reached` where the plan has no room
 */
export function changeDisabled(
  member: Member,
  kind: Kind,
  issued: Issued,
  action: 'disable' | 'enable',
): void {
  if (offeredAction(member, issued) !== action) throw new Refusal('invalid_request')
  const reason = action === 'enable' ? reasonAgainstEnabling(member, kind) : undefined
  if (reason !== undefined) throw new Refusal('maximum_reached', { description: reason })
  const isMeant = (one: ApiKey | Application) =>
    'client_id' in issued
      ? 'client_id' in one && one.client_id === issued.client_id
      : 'value' in one && one.value === issued.value
  member.context.change(({ api_keys, applications }) => {
    for (const one of [...api_keys, ...applications].filter(isMeant))
      if (action === 'disable') one.disabled_by = 'person'
      else delete one.disabled_by
  })
}

/** The part of an edit page that disables or enables; nothing where neither is offered. */
export const DisablingForm = ({ member, kind, issued }: { member: Member; kind: Kind; issued: Issued }) => {
  const action = offeredAction(member, issued)
  if (action === undefined) return <></>
  const reason = action === 'enable' ? reasonAgainstEnabling(member, kind) : undefined
  return (
    <section class="card" aria-labelledby="turn">
      <h2 id="turn">{action === 'disable' ? `Disable this ${kind.one}` : `This ${kind.one} is disabled`}</h2>
      <p class="quiet" id="turn-means">
        {reason ??
          (action === 'disable'
            ? 'It is refused until it is enabled again. It still takes its place on the plan.'
            : 'It is refused until it is enabled again.')}
      </p>
      <OwnForm member={member}>
        <button name="action" value={action} disabled={reason !== undefined} aria-describedby="turn-means">
          {action === 'disable' ? 'Disable' : 'Enable'} {kind.one}
        </button>
      </OwnForm>
    </section>
  )
}

/** The state as a word in a list; nothing where it is in use. */
export const StateChip = ({ issued: { disabled_by } }: { issued: Issued }) => {
  if (disabled_by === undefined) return <></>
  return <span class="chip off">{disabled_by === 'plan' ? 'disabled by the plan' : 'disabled'}</span>
}
