/** @jsxImportSource hono/jsx */
/** The clock on the start page of the control plane, and the forms that move it. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { clockState } from './clock-command.ts'
import { type ControlContext, CsrfField } from './control-layout.tsx'
import { monthEnd, nextMinute, tokenEnd } from './instant.ts'

export const UNITS = { seconds: SECOND_MS, minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS }

export const ClockForms = ({ context, csrfToken }: Pick<ControlContext, 'context' | 'csrfToken'>) => {
  const { now, frozen } = clockState(context)
  return (
    <section class="card clock" aria-labelledby="clock">
      <div class="now">
        <h2 id="clock">Clock of the sandbox</h2>
        <time datetime={now}>
          <span class="digits ticking">
            <span>{now.slice(11, 19)}</span>
          </span>{' '}
          UTC
          <span class="date">{longDate(context.nowMs)}</span>
        </time>
        <p>
          <span class="chip">{frozen ? 'frozen' : 'running'}</span>{' '}
          <span class="quiet">{frozen ? '' : offsetText(context.state.clock.offset_ms)}</span>
        </p>
      </div>
      <div class="moves">
        <TargetForm context={context} isFrozen={frozen} csrfToken={csrfToken} />
        <div class="row">
          <AdvanceForm csrfToken={csrfToken} />
          <form method="post" class="row">
            <CsrfField csrfToken={csrfToken} />
            <label class="instant">
              Set to, in UTC
              <input type="datetime-local" name="instant" step="1" value={now.slice(0, 19)} required />
            </label>
            <button name="do" value="set">
              Set
            </button>
          </form>
        </div>
      </div>
    </section>
  )
}

/** For example "Sunday 22 November 2026". */
const longDate = (ms: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(ms)

/** For example "2 days 3 hours ahead of the real time". */
function offsetText(offsetMs: number): string {
  const [, units] = Object.entries(UNITS)
    .toReversed()
    .reduce<[leftMs: number, units: string[]]>(
      ([leftMs, found], [unit, ms]) => {
        const count = Math.floor(leftMs / ms)
        const named = count === 1 ? unit.slice(0, -1) : unit
        return [leftMs % ms, count === 0 ? found : [...found, `${count} ${named}`]]
      },
      [Math.abs(offsetMs), []],
    )
  if (units.length === 0) return 'the real time'
  return `${units.slice(0, 2).join(' ')} ${offsetMs > 0 ? 'ahead of' : 'behind'} the real time`
}

interface TargetFormProps extends Pick<ControlContext, 'context' | 'csrfToken'> {
  isFrozen: boolean
}

const TargetForm = ({ context, isFrozen, csrfToken }: TargetFormProps) => (
  <form method="post" class="row targets">
    <CsrfField csrfToken={csrfToken} />
    <TargetButton target="to_next_minute" name="To the next minute" at={timeOf(nextMinute(context))} isMain />
    <TargetButton target="to_token_end" name="To the token's end" at={timeOf(tokenEnd(context))} />
    <TargetButton target="to_month_end" name="To the month's end" at={dayOf(monthEnd(context))} />
    <button name="do" value={isFrozen ? 'run' : 'freeze'}>
      {isFrozen ? 'Run' : 'Freeze'}
    </button>
  </form>
)

const timeOf = (ms: number | undefined) => ms && new Date(ms).toISOString().slice(11, 19)
const dayOf = (ms: number | undefined) =>
  ms && new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(ms)

interface TargetButtonProps {
  target: string
  name: string
  /** The time to set, if there is such an instant. */
  at: string | number | undefined
  isMain?: boolean
}

const TargetButton = ({ target, name, at, isMain = false }: TargetButtonProps) => (
  <button class={isMain ? 'two primary' : 'two'} name="do" value={target} disabled={at === undefined}>
    {name} <small>{at ?? 'none is active'}</small>
  </button>
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
