/** @jsxImportSource hono/jsx */
/** The injected faults that are due, and the form that adds one. */
import { type InjectedFault, FAULT_KINDS, OPERATIONS } from '../state/injected-fault.ts'
import type { DeepReadonly } from '../state/state.ts'
import { CsrfField } from './control-layout.tsx'

export const FaultForm = ({
  faults,
  csrfToken,
}: {
  faults: DeepReadonly<InjectedFault[]>
  csrfToken: string
}) => (
  <section class="card" aria-labelledby="faults">
    <h2 id="faults">Injected faults</h2>
    {faults.length === 0 ? <p>None is due.</p> : <DueFaults faults={faults} />}
    <form method="post" class="row">
      <CsrfField csrfToken={csrfToken} />
      <label>
        Number of requests
        <input class="number" type="number" name="times" min="1" step="1" value="1" required />
      </label>
      <Select
        label="Operation"
        name="operation"
        options={OPERATIONS.map((operation) => [operation, operation])}
      />
      <Select
        label="Fault"
        name="kind"
        options={Object.entries(FAULT_KINDS).map(([kind, means]) => [kind, `${kind}: ${means}`])}
      />
      <button name="do" value="fault">
        Add fault
      </button>
      {faults.length > 0 && (
        <button name="do" value="clear_faults">
          Clear faults
        </button>
      )}
    </form>
  </section>
)

const DueFaults = ({ faults }: { faults: DeepReadonly<InjectedFault[]> }) => (
  <ul>
    {faults.map(({ operation, kind, times }) => (
      <li key={`${operation} ${kind}`}>
        the next {times} of <code>{operation}</code>: <code>{kind}</code>, {FAULT_KINDS[kind]}
      </li>
    ))}
  </ul>
)

interface SelectProps {
  label: string
  name: string
  options: readonly (readonly [value: string, text: string])[]
}

const Select = ({ label, name, options }: SelectProps) => (
  <label>
    {label}
    <select name={name}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
