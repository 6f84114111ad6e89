/** @jsxImportSource hono/jsx */
/** One choice: the text of the document, why its default, and the form that changes it. */
import type { Choice } from '../choices/choice.ts'
import { CsrfField } from './control-layout.tsx'

interface ChoiceCardProps {
  name: string
  choice: Choice
  /** The value that is chosen. */
  value: string
  csrfToken: string
}

export const ChoiceCard = (props: ChoiceCardProps) => {
  const { name, choice, value } = props
  const { number, section, statement, why, values, fixed } = choice
  const isDefault = value === values[0].value
  return (
    <section
      id={name}
      class={isDefault ? 'card choice' : 'card choice other'}
      aria-labelledby={`${name}-name`}
    >
      <h2 id={`${name}-name`}>
        U{number} <code>{name}</code>
      </h2>
      <p>
        {statement}{' '}
        <span class="quiet">{section === 'none' ? '(in no section)' : `(section ${section})`}</span>
      </p>
      <p class="quiet">Default, because: {why}</p>
      {fixed === undefined ? (
        <ChoiceForm {...props} isDefault={isDefault} />
      ) : (
        <p>
          {values[0].means}. <span class="quiet">It cannot be changed: {fixed}</span>
        </p>
      )}
    </section>
  )
}

const ChoiceForm = ({
  name,
  choice: { number, values },
  value: chosen,
  csrfToken,
  isDefault,
}: ChoiceCardProps & { isDefault: boolean }) => (
  <form method="post">
    <CsrfField csrfToken={csrfToken} />
    <input type="hidden" name="choice" value={name} />
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
      Change<span class="aside"> U{number}</span>
    </button>
  </form>
)
