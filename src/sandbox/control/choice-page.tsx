/** @jsxImportSource hono/jsx */
/** The page of all choices: an overview, and a card for each. */
import { CHOICES, type Choices, DEFAULT_CHOICES } from '../choices/choices.ts'
import { CONTRADICTIONS } from '../choices/contradiction.ts'
import { writePage } from '../http/page.tsx'
import type { HonoContext } from '../state/context.ts'
import { ChoiceCard } from './choice-card.tsx'
import { type ControlContext, CsrfField, Tabs } from './control-layout.tsx'

type Key = keyof Choices

const KEYS = Object.keys(CHOICES) as Key[]

/** Changes the choice that a form names, or all to their default. @returns the address to redirect to */
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
  { context, csrfToken }: ControlContext,
): Response | Promise<Response> {
  const { choices } = context
  return writePage(
    c,
    { title: 'All choices' },
    <>
      <h1>All choices</h1>
      <Tabs c={c} current="choices" />
      <p class="lead">
        The service's document leaves {KEYS.length} questions open. This page shows what is chosen for each,
        why, and what else can be. A change takes effect with the next request.
      </p>
      <Contradictions />
      <section class="card" aria-labelledby="changed">
        <h2 id="changed">Not at their default</h2>
        <ChangedChoices choices={choices} csrfToken={csrfToken} />
      </section>
      <nav class="card" aria-labelledby="index">
        <h2 id="index">By number</h2>
        <ul class="index">
          {KEYS.map((key) => (
            <li key={key}>
              <ChoiceLink choice={key} />
            </li>
          ))}
        </ul>
      </nav>
      {KEYS.map((key) => (
        <ChoiceCard key={key} name={key} choice={CHOICES[key]} value={choices[key]} csrfToken={csrfToken} />
      ))}
    </>,
  )
}

const ChoiceLink = ({ choice }: { choice: Key }) => (
  <a href={`#${choice}`}>
    U{CHOICES[choice].number} {choice}
  </a>
)

const Contradictions = () => (
  <section class="card" aria-labelledby="contradictions">
    <h2 id="contradictions">Contradictions of the document</h2>
    <ul class="contradictions">
      {CONTRADICTIONS.map(({ sections, statement, settledBy }) => (
        <li key={statement}>
          {statement} <span class="quiet">({sections})</span>{' '}
          {settledBy.length === 0 ? 'No choice depends on it.' : 'Settled by '}
          {settledBy.map((key, at) => (
            <>
              {at > 0 && ', '}
              <ChoiceLink choice={key} />
            </>
          ))}
        </li>
      ))}
    </ul>
  </section>
)

const ChangedChoices = ({
  choices,
  csrfToken,
}: {
  choices: ControlContext['context']['choices']
  csrfToken: string
}) => {
  const changed = KEYS.filter((key) => choices[key] !== DEFAULT_CHOICES[key])
  if (changed.length === 0) return <p>None: the service behaves as the document and the RFCs say.</p>
  return (
    <>
      <ul>
        {changed.map((key) => (
          <li key={key}>
            <ChoiceLink choice={key} />: <code>{choices[key]}</code>
          </li>
        ))}
      </ul>
      <form method="post" class="row">
        <CsrfField csrfToken={csrfToken} />
        <button name="do" value="defaults">
          Reset all to their default
        </button>
      </form>
    </>
  )
}
