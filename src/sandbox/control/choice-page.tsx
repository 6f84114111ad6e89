/** @jsxImportSource hono/jsx */
/** The page of all choices: what the document says, what is chosen here, why, and what else it could be. */
import { CONTRADICTIONS } from '../choices/contradiction.ts'
import { type ControlContext, Tabs, CsrfField } from './control-layout.tsx'
import { writePage } from '../http/page.tsx'
import { CHOICES, DEFAULT_CHOICES, type Choices } from '../choices/choices.ts'
import type { Choice } from '../choices/choice.ts'
import type { HonoContext } from '../state/context.ts'

type Key = keyof Choices

const ROWS: readonly (Choice & { key: Key })[] = Object.entries(CHOICES).map(([key, choice]) => ({
  key: key as Key,
  ...choice,
}))

/** Switches the choice that a form names, or all back. @returns where to go on */
export function changeChoice(form: URLSearchParams, { actions }: ControlContext): string {
  if (form.get('do') === 'defaults') {
    actions.changeChoices(DEFAULT_CHOICES)
    return 'choices'
  }
  const key = form.get('choice') ?? ''
  actions.changeChoices({ [key]: form.get('value') })
  return `choices#${key}`
}

export function choicePage(
  c: HonoContext,
  { actions, csrfToken }: ControlContext,
): Response | Promise<Response> {
  const choices = actions.choices()
  const others = ROWS.filter(({ key }) => choices[key] !== DEFAULT_CHOICES[key])
  return writePage(
    c,
    { title: 'All choices' },
    <>
      <h1>All choices</h1>
      <Tabs c={c} current="choices" />
      <p class="lead">
        The service's document leaves {ROWS.length} questions open. Here is how each is answered, why, and how
        else it could be meant. A switch works from the next request on.
      </p>
      <section class="card" aria-labelledby="contradictions">
        <h2 id="contradictions">Where the document says two things</h2>
        <ul class="contradictions">
          {CONTRADICTIONS.map(({ sections, statement, settledBy }) => (
            <li key={statement}>
              {statement} <span class="quiet">({sections})</span>{' '}
              {settledBy.length === 0 ? 'Nothing to switch.' : 'Settled by '}
              {settledBy.map((key, at) => (
                <>
                  {at > 0 && ', '}
                  <a href={`#${key}`}>
                    U{CHOICES[key].number} {key}
                  </a>
                </>
              ))}
            </li>
          ))}
        </ul>
      </section>
      <section class="card" aria-labelledby="changed">
        <h2 id="changed">Not at their default</h2>
        {others.length === 0 ? (
          <p>None: this is the service as the document and the RFCs have it.</p>
        ) : (
          <>
            <ul>
              {others.map(({ key, number }) => (
                <li key={key}>
                  <a href={`#${key}`}>
                    U{number} {key}
                  </a>
                  : <code>{choices[key]}</code>
                </li>
              ))}
            </ul>
            <form method="post" class="row">
              <CsrfField csrfToken={csrfToken} />
              <button name="do" value="defaults">
                All back to their default
              </button>
            </form>
          </>
        )}
      </section>
      <nav class="card" aria-labelledby="index">
        <h2 id="index">By number</h2>
        <ul class="index">
          {ROWS.map(({ key, number }) => (
            <li key={key}>
              <a href={`#${key}`}>
                U{number} {key}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {ROWS.map((row) => (
        <Row key={row.key} row={row} chosen={choices[row.key]} csrfToken={csrfToken} />
      ))}
    </>,
  )
}

interface RowProps {
  row: Choice & { key: Key }
  chosen: string
  csrfToken: string
}

const Row = ({ row, chosen, csrfToken }: RowProps) => {
  const { key, number, section, statement, why, values, fixed } = row
  const isDefault = chosen === values[0].value
  return (
    <section id={key} class={isDefault ? 'card choice' : 'card choice other'} aria-labelledby={`${key}-name`}>
      <h2 id={`${key}-name`}>
        U{number} <code>{key}</code>
      </h2>
      <p>
        {statement}{' '}
        <span class="quiet">{section === 'none' ? '(in no section)' : `(section ${section})`}</span>
      </p>
      <p class="quiet">Default, because: {why}</p>
      {fixed === undefined ? (
        <form method="post">
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="choice" value={key} />
          <fieldset>
            <legend>{isDefault ? 'Chosen: the default' : 'Chosen: not the default'}</legend>
            {values.map(({ value, means }, at) => (
              <label key={value}>
                <input type="radio" name="value" value={value} checked={value === chosen} />
                <span>
                  {means} <small>{at === 0 ? `${value}, default` : value}</small>
                </span>
              </label>
            ))}
          </fieldset>
          <button>
            Switch<span class="aside"> U{number}</span>
          </button>
        </form>
      ) : (
        <p>
          {values[0].means}. <span class="quiet">Nothing to switch: {fixed}</span>
        </p>
      )}
    </section>
  )
}
