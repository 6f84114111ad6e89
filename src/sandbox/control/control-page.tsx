/** @jsxImportSource hono/jsx */
/** The start page of the control plane: the clock and its buttons, the faults that are due, and the ledger. */
import type { Actions } from './actions.ts'
import { clockState, moveClock } from './clock-command.ts'
import { type ControlContext, Tabs, CsrfField } from './control-layout.tsx'
import { FAULT_KINDS, OPERATIONS } from '../state/injected-fault.ts'
import { Ledger } from './request-log-table.tsx'
import { linkTo, writePage } from '../http/page.tsx'
import { CHOICES, DEFAULT_CHOICES, type Choices } from '../choices/choices.ts'
import type { HonoContext } from '../state/context.ts'

const UNITS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

/** What the forms of the page do, by the name of their button. */
const ORDERS: Record<string, (form: URLSearchParams, actions: Actions) => void> = {
  advance(form, { clock }) {
    const unit = form.get('unit') ?? ''
    if (!Object.hasOwn(UNITS, unit)) throw new Error(`unit is one of: ${Object.keys(UNITS).join(', ')}`)
    moveClock(clock, { do: 'advance', ms: wholeOf(form, 'amount') * UNITS[unit as keyof typeof UNITS] })
  },
  set: (form, { clock }) => moveClock(clock, { do: 'set', ms: Date.parse(`${form.get('instant') ?? ''}Z`) }),
  fault: (form, actions) =>
    actions.addFault({
      operation: form.get('operation'),
      kind: form.get('kind'),
      times: wholeOf(form, 'times'),
    }),
  clear_faults: (_, actions) => actions.clearFaults(),
  forget: (_, actions) => actions.clearRequestLog(),
  reset: (_, actions) => actions.reset(),
}

const wholeOf = (form: URLSearchParams, name: string): number => {
  const text = form.get(name) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

/** Does what a form of the page says. @returns where to go on */
export function actOn(form: URLSearchParams, { actions }: ControlContext): string {
  const what = form.get('do') ?? ''
  if (Object.hasOwn(ORDERS, what)) ORDERS[what]?.(form, actions)
  else moveClock(actions.clock, { do: what })
  return './'
}

export function startOfControl(c: HonoContext, controlContext: ControlContext): Response | Promise<Response> {
  const { context, csrfToken, actions } = controlContext
  const choices = actions.choices()
  const keys = Object.keys(CHOICES) as (keyof Choices)[]
  const others = keys.filter((key) => choices[key] !== DEFAULT_CHOICES[key])
  return writePage(
    c,
    { title: 'Control' },
    <>
      <h1>Control</h1>
      <Tabs c={c} current="" />
      <Clock context={context} csrfToken={csrfToken} />
      <div class="pair">
        <section class="card" aria-labelledby="choices">
          <h2 id="choices">Choices</h2>
          <p>
            {others.length === 0
              ? `All ${keys.length} choices are at their default.`
              : `${others.length} of ${keys.length} choices are not at their default.`}
          </p>
          {others.length > 0 && (
            <ul>
              {others.map((key) => (
                <li key={key}>
                  <a href={linkTo(c, `choices#${key}`)}>U{CHOICES[key].number}</a> <code>{key}</code>:{' '}
                  <code>{choices[key]}</code>
                </li>
              ))}
            </ul>
          )}
          <form method="post" class="row">
            <CsrfField csrfToken={csrfToken} />
            <button name="do" value="reset">
              Begin anew
            </button>
            <span class="quiet">
              The seed, the first choices, the right time; what happened is forgotten.
            </span>
          </form>
        </section>
        <Faults controlContext={controlContext} />
      </div>
      <Ledger lines={context.state.ledger} csrfToken={csrfToken} />
    </>,
  )
}

const Clock = ({ context, csrfToken }: Pick<ControlContext, 'context' | 'csrfToken'>) => {
  const { now, frozen } = clockState(context)
  return (
    <section class="card" aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <p class="now">
        <time datetime={now}>{now.slice(0, 19).replace('T', ' ')} UTC</time>
        <span class="chip">{frozen ? 'frozen' : 'runs'}</span>
      </p>
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
        <button name="do" value={frozen ? 'run' : 'freeze'}>
          {frozen ? 'Run' : 'Freeze'}
        </button>
      </form>
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

const Faults = ({ controlContext: { context, csrfToken } }: { controlContext: ControlContext }) => (
  <section class="card" aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    {context.state.faults.length === 0 ? (
      <p>None is due.</p>
    ) : (
      <ul>
        {context.state.faults.map(({ operation, kind, times }) => (
          <li key={`${operation} ${kind}`}>
            the next {times} of <code>{operation}</code>: <code>{kind}</code>, {FAULT_KINDS[kind]}
          </li>
        ))}
      </ul>
    )}
    <form method="post" class="row">
      <CsrfField csrfToken={csrfToken} />
      <label>
        The next
        <input class="number" type="number" name="times" min="1" step="1" value="1" required />
      </label>
      <label>
        Requests of
        <select name="operation">
          {OPERATIONS.map((operation) => (
            <option key={operation}>{operation}</option>
          ))}
        </select>
      </label>
      <label>
        Go wrong by
        <select name="kind">
          {Object.entries(FAULT_KINDS).map(([kind, means]) => (
            <option key={kind} value={kind}>
              {kind}: {means}
            </option>
          ))}
        </select>
      </label>
      <button name="do" value="fault">
        Order
      </button>
      {context.state.faults.length > 0 && (
        <button name="do" value="clear_faults">
          Clear all
        </button>
      )}
    </form>
  </section>
)
