/** @jsxImportSource hono/jsx */
/** All choices in groups, with a button for each value. The changed ones come first. */
import { changedChoices, CHOICE_GROUPS, CHOICE_KEYS, type ChoiceKey, CHOICES } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import { ActionForm } from './form.tsx'

interface ChoiceCardProps {
  choices: Context['choices']
  csrfToken: string
  /** The choice whose group is open. */
  open: string
}

export const ChoiceCard = ({ choices, csrfToken, open }: ChoiceCardProps) => {
  const changed = changedChoices(choices)
  return (
    <section>
      <h2>
        Choices <mark>{changed.length} changed</mark>
      </h2>
      <p>
        The service's document leaves {CHOICE_KEYS.length} questions open. A press on an answer takes effect
        with the next request.
      </p>
      {changed.length > 0 && (
        <ActionForm csrfToken={csrfToken}>
          {changed.map((key) => (
            <a key={key} href={`?open=${key}#${key}`}>
              {key}: {choices[key]}
            </a>
          ))}
          <button name="do" value="default_choices">
            Reset all to default
          </button>
        </ActionForm>
      )}
      {CHOICE_GROUPS.map(({ name, keys }) => (
        <details key={name} open={keys.some((key) => key === open)}>
          <summary>
            {name} <small>{keys.length} choices</small>
          </summary>
          {keys.map((key) => (
            <ChoiceForm key={key} name={key} value={choices[key]} csrfToken={csrfToken} />
          ))}
        </details>
      ))}
    </section>
  )
}

const ChoiceForm = ({ name, value, csrfToken }: { name: ChoiceKey; value: string; csrfToken: string }) => {
  const { number, section, statement, why, values } = CHOICES[name]
  return (
    <div class="choice" id={name}>
      <h3>
        <code>{name}</code>{' '}
        <small>
          U{number}
          {section === 'none' ? '' : `, section ${section}`}
        </small>
      </h3>
      <p>
        {statement} <small>By default, because: {why}</small>
      </p>
      <form method="post" class="row values">
        <input type="hidden" name="csrf_token" value={csrfToken} />
        <input type="hidden" name="choice" value={name} />
        {Object.entries(values).map(([one, means]) => (
          <button
            key={one}
            name="value"
            value={one}
            title={one}
            aria-pressed={one === value ? 'true' : 'false'}
          >
            {means}
          </button>
        ))}
      </form>
    </div>
  )
}
