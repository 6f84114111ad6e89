/** @jsxImportSource hono/jsx */
/** The clock on the start page of the control plane, and the forms that move it. */
import { clockState } from './clock-command.ts'
import { type ControlContext, CsrfField } from './control-layout.tsx'

/** In milliseconds. */
export const UNITS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

export const ClockForms = ({ context, csrfToken }: Pick<ControlContext, 'context' | 'csrfToken'>) => {
  const { now, frozen } = clockState(context)
  return (
    <section class="card" aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <p class="now">
        <time datetime={now}>{now.slice(0, 19).replace('T', ' ')} UTC</time>
        <span class="chip">{frozen ? 'frozen' : 'running'}</span>
      </p>
      <TargetForm isFrozen={frozen} csrfToken={csrfToken} />
      <AdvanceForm csrfToken={csrfToken} />
      <form method="post" class="row">
        <CsrfField csrfToken={csrfToken} />
        <label>
          Set to, in UTC
          <input type="datetime-local" name="instant" step="1" value={now.slice(0, 19)} required />
        </label>
        <button name="do" value="set">
          Set
        </button>
      </form>
    </section>
  )
}

const TargetForm = ({ isFrozen, csrfToken }: { isFrozen: boolean; csrfToken: string }) => (
  <form method="post" class="row">
    <CsrfField csrfToken={csrfToken} />
    <button class="primary" name="do" value="to_next_minute">
      To the next minute
    </button>
    <button name="do" value="to_token_end">
      To the token's end
    </button>
    <button name="do" value="to_month_end">
      To the month's end
    </button>
    <button name="do" value={isFrozen ? 'run' : 'freeze'}>
      {isFrozen ? 'Run' : 'Freeze'}
    </button>
  </form>
)

const AdvanceForm = ({ csrfToken }: Pick<ControlContext, 'csrfToken'>) => (
  <form method="post" class="row">
    <CsrfField csrfToken={csrfToken} />
    <label>
      Advance by
      <input class="number" type="number" name="amount" min="0" step="1" value="1" required />
    </label>
    <label>
      Unit
      <select name="unit">
        {Object.keys(UNITS).map((unit) => (
          <option key={unit} selected={unit === 'minutes'}>
            {unit}
          </option>
        ))}
      </select>
    </label>
    <button name="do" value="advance">
      Advance
    </button>
  </form>
)
