/** @jsxImportSource hono/jsx */
/** Draws one choice: the text of the document, a button for each value, and the reason for the default. */
import type { Choice } from '../choices/choice.ts'
import { CsrfField } from './control-layout.tsx'

interface ChoiceCardProps {
  name: string
  choice: Choice
  value: string
  csrfToken: string
  /** The query of the page that is shown after a press. */
  query: string
}

export const ChoiceCard = (props: ChoiceCardProps) => {
  const { name, choice, value } = props
  const { number, section, statement, values, fixed } = choice
  const isDefault = value === values[0].value
  return (
    <section id={name} class={isDefault ? 'choice' : 'choice other'} aria-labelledby={`${name}-name`}>
      <h3 id={`${name}-name`}>
        U{number} <code>{name}</code> {!isDefault && <span class="chip">changed</span>}
      </h3>
      <p>
        {statement}{' '}
        <span class="quiet">{section === 'none' ? '(in no section)' : `(section ${section})`}</span>
      </p>
      {fixed === undefined ? (
        <ValueButtons {...props} />
      ) : (
        <p>
          {values[0].means}. <span class="quiet">It cannot be changed: {fixed}</span>
        </p>
      )}
      <Reason choice={choice} />
    </section>
  )
}

/** A press saves at once. */
const ValueButtons = ({ name, choice: { values }, value: chosen, csrfToken, query }: ChoiceCardProps) => (
  <form method="post" action={query}>
    <CsrfField csrfToken={csrfToken} />
    <input type="hidden" name="choice" value={name} />
    <fieldset class="values" aria-labelledby={`${name}-name`}>
      {values.map(({ value, means }, at) => (
        <button key={value} name="value" value={value} aria-pressed={value === chosen ? 'true' : 'false'}>
          {means}
          {at === 0 && <small>default</small>}
        </button>
      ))}
    </fieldset>
  </form>
)

const Reason = ({ choice: { number, why, values } }: Pick<ChoiceCardProps, 'choice'>) => (
  <details class="why">
    <summary>
      Reason and names<span class="aside"> of U{number}</span>
    </summary>
    <p>Default, because: {why}</p>
    <ul>
      {values.map(({ value, means }) => (
        <li key={value}>
          <code>{value}</code>: {means}
        </li>
      ))}
    </ul>
  </details>
)
