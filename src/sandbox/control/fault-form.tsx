/** @jsxImportSource hono/jsx */
/** Lists the injected faults that are set, with a form that adds one. */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { type InjectedFault, FAULT_KINDS, type Operation, OPERATIONS } from '../state/injected-fault.ts'
import type { DeepReadonly } from '../state/state.ts'
import type { Actions } from './actions.ts'
import { CsrfField, NumberField, numberOf, Select } from './control-layout.tsx'

/** The address of the requests of an operation. */
export const HITS: Record<Operation, string> = {
  authorize: '/oauth2/login, the sign-in',
  token: '/oauth2/token, the token endpoint',
  organization: '/organizations/{id}',
  organizations: '/organizations',
  rate_limit: '/rate_limit',
  any: 'any address',
}

const WITH_STATUS = ['status', 'html']

/** A delay has `ms`, and a fault with a status has `status`. */
export function addFormFault(form: URLSearchParams, actions: Actions): void {
  const kind = form.get('kind')
  const ms = kind === 'delay' ? numberOf(form, 'ms') : undefined
  const status = WITH_STATUS.includes(kind ?? '') ? numberOf(form, 'status') : undefined
  actions.addFault({
    operation: form.get('operation'),
    kind,
    times: numberOf(form, 'times') ?? Number.NaN,
    ...(ms !== undefined && { ms }),
    ...(status !== undefined && { status }),
  })
}

/** @throws Error if requests have used the fault up since the page was written */
export function removeFormFault(form: URLSearchParams, actions: Actions): void {
  const at = numberOf(form, 'at') ?? -1
  const fault = actions.faults()[at]
  if (fault === undefined || `${fault.operation} ${fault.kind}` !== form.get('fault'))
    throw new Error('This fault is no longer set')
  actions.removeFault(at)
}

interface FaultsProps {
  faults: DeepReadonly<InjectedFault[]>
  csrfToken: string
}

export const FaultForm = ({ faults, csrfToken }: FaultsProps) => (
  <section class="card" aria-labelledby="faults">
    <div class="between">
      <h2 id="faults">Faults</h2>
      {faults.length > 0 && (
        <form method="post">
          <CsrfField csrfToken={csrfToken} />
          <button name="do" value="clear_faults">
            Clear faults
          </button>
        </form>
      )}
    </div>
    {faults.length === 0 ? (
      <p class="quiet">No fault is set: every request is answered.</p>
    ) : (
      <SetFaults faults={faults} csrfToken={csrfToken} />
    )}
    <AddFault csrfToken={csrfToken} />
  </section>
)

const AddFault = ({ csrfToken }: Pick<FaultsProps, 'csrfToken'>) => (
  <form method="post" class="row fault-form">
    <CsrfField csrfToken={csrfToken} />
    <label>
      Next requests
      <input class="number" type="number" name="times" min="1" max="10000" step="1" value="1" required />
    </label>
    <Select
      label="Sent to"
      name="operation"
      selected="any"
      options={OPERATIONS.map((operation) => [operation, HITS[operation]])}
    />
    <Select
      label="Fault"
      name="kind"
      options={Object.entries(FAULT_KINDS).map(([kind, means]) => [kind, `${kind}: ${means}`])}
    />
    <NumberField class="of-delay" label="Delay, ms" name="ms" max={DAY_MS} value={SECOND_MS} />
    <NumberField class="of-status" label="Status" name="status" min={200} max={599} placeholder="503" />
    <button class="primary" name="do" value="fault">
      Add fault
    </button>
  </form>
)

const SetFaults = ({ faults, csrfToken }: FaultsProps) => (
  <ol class="rows">
    {Object.entries(faults).map(([at, { operation, kind, times, ms, status }]) => (
      <li key={at}>
        <p>
          <strong>
            {times} × {kind}
          </strong>{' '}
          {ms !== undefined && <span class="chip">{ms} ms</span>}
          {status !== undefined && <span class="chip">status {status}</span>}
          <small>
            Next {times === 1 ? 'request' : `${times} requests`} to {HITS[operation]}: {FAULT_KINDS[kind]}.
          </small>
        </p>
        <form method="post">
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="at" value={at} />
          <input type="hidden" name="fault" value={`${operation} ${kind}`} />
          <button class="link" name="do" value="remove_fault">
            Remove
            <span class="aside">
              {' '}
              {kind} of {operation}
            </span>
          </button>
        </form>
      </li>
    ))}
  </ol>
)
