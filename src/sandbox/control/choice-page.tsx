/** @jsxImportSource hono/jsx */
/** The page of all choices: presets, changed choices, a search, and the choices in folded groups. */
import { changedChoices, CHOICE_KEYS, type ChoiceKey, CHOICES, DEFAULT_CHOICES } from '../choices/choices.ts'
import { CONTRADICTIONS } from '../choices/contradiction.ts'
import { CHOICE_GROUPS, type ChoiceGroup, groupOf } from '../choices/groups.ts'
import { ChoiceCard } from './choice-card.tsx'
import { findChoices } from './choice-search.ts'
import { type ControlContext, CsrfField, writeControlPage } from './control-layout.tsx'
import { PresetCards } from './preset-cards.tsx'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

const queryOf = (parameters: string[][]): string =>
  parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`

/** @returns the address to redirect to */
export function changeChoice(form: URLSearchParams, { actions, query }: ControlContext): string {
  const preset = form.get('preset')
  if (preset !== null) {
    actions.applyPreset(preset)
    return 'choices#presets'
  }
  if (form.get('do') === 'defaults') {
    actions.changeChoices(DEFAULT_CHOICES)
    return 'choices'
  }
  const key = form.get('choice') ?? ''
  actions.changeChoices({ [key]: form.get('value') })
  const shown = [...query].filter(([name]) => name === 'q' || name === 'open')
  return `choices${queryOf(shown)}#${key}`
}

export function choicePage(c: HandlerContext, controlContext: ControlContext): Answered {
  const { context, csrfToken, query } = controlContext
  const { choices } = context
  const searched = query.get('q')?.trim().slice(0, 100) ?? ''
  return writeControlPage(
    c,
    controlContext,
    { title: 'Choices', current: 'choices' },
    <>
      <p class="lead">
        The service's document leaves {CHOICE_KEYS.length} questions open. A press on an answer is saved at
        once, and takes effect with the next request.
      </p>
      {searched === '' && <PresetCards context={context} csrfToken={csrfToken} />}
      <ChangedChoices choices={choices} csrfToken={csrfToken} />
      <Search searched={searched} />
      <Groups choices={choices} csrfToken={csrfToken} searched={searched} open={query.get('open') ?? ''} />
      {searched === '' && <Contradictions />}
    </>,
  )
}

/** Opens the group too, as not every browser unfolds the target of a link. */
const ChoiceLink = ({ choice }: { choice: ChoiceKey }) => (
  <a href={`?open=${groupOf(choice)}#${choice}`}>
    U{CHOICES[choice].number} {choice}
  </a>
)

interface ChoicesProps {
  choices: ControlContext['context']['choices']
  csrfToken: string
}

const ChangedChoices = ({ choices, csrfToken }: ChoicesProps) => {
  const changed = changedChoices(choices)
  return (
    <section class="card" aria-labelledby="changed">
      <div class="between">
        <h2 id="changed">
          Changed <span class="chip">{changed.length}</span>
        </h2>
        {changed.length > 0 && (
          <form method="post">
            <CsrfField csrfToken={csrfToken} />
            <button name="do" value="defaults">
              Reset all {changed.length} to default
            </button>
          </form>
        )}
      </div>
      {changed.length === 0 ? (
        <p class="quiet">None: the service behaves as the document and the RFCs state.</p>
      ) : (
        <ol class="rows">
          {changed.map((key) => (
            <ChangedChoice key={key} name={key} value={choices[key]} csrfToken={csrfToken} />
          ))}
        </ol>
      )}
    </section>
  )
}

const ChangedChoice = ({ name, value, csrfToken }: { name: ChoiceKey; value: string; csrfToken: string }) => (
  <li>
    <p>
      <ChoiceLink choice={name} />{' '}
      <span>{CHOICES[name].values.find((variant) => variant.value === value)?.means}</span>
    </p>
    <form method="post">
      <CsrfField csrfToken={csrfToken} />
      <input type="hidden" name="choice" value={name} />
      <button class="link" name="value" value={DEFAULT_CHOICES[name]}>
        Reset<span class="aside"> {name}</span>
      </button>
    </form>
  </li>
)

const Search = ({ searched }: { searched: string }) => (
  <search>
    <form method="get" action="#choices" class="row">
      <label class="wide">
        Search the choices
        <input type="search" name="q" value={searched} placeholder="refresh, 429, U24, section 8.3" />
      </label>
      <button>Search</button>
      {searched !== '' && (
        <a class="button" href="choices">
          Show all
        </a>
      )}
    </form>
  </search>
)

/** Groups are folded, except the one in the address and those of a search. */
const Groups = ({
  choices,
  csrfToken,
  searched,
  open,
}: ChoicesProps & { searched: string; open: string }) => {
  const found = findChoices(searched)
  const groups = CHOICE_GROUPS.map((group) => ({
    ...group,
    keys: group.keys.filter((key) => found.has(key)),
  }))
  return (
    <div id="choices" class="stack">
      {searched !== '' && (
        <p>
          {found.size} of {CHOICE_KEYS.length} choices have “{searched}”.
        </p>
      )}
      {groups
        .filter(({ keys }) => keys.length > 0)
        .map((group) => (
          <Group
            key={group.id}
            group={group}
            isOpen={searched !== '' || group.id === open}
            query={queryOf([searched === '' ? ['open', group.id] : ['q', searched]])}
            choices={choices}
            csrfToken={csrfToken}
          />
        ))}
    </div>
  )
}

interface GroupProps extends ChoicesProps {
  group: ChoiceGroup
  isOpen: boolean
  query: string
}

const Group = ({ group: { id, name, keys }, isOpen, query, choices, csrfToken }: GroupProps) => {
  const changed = keys.filter((key) => choices[key] !== DEFAULT_CHOICES[key]).length
  return (
    <details class="card group" id={`group-${id}`} open={isOpen}>
      <summary>
        <h2>{name}</h2>
        <span class="quiet">
          {keys.length} {keys.length === 1 ? 'choice' : 'choices'}
        </span>
        {changed > 0 && <span class="chip">{changed} changed</span>}
      </summary>
      {keys.map((key) => (
        <ChoiceCard
          key={key}
          name={key}
          choice={CHOICES[key]}
          value={choices[key]}
          csrfToken={csrfToken}
          query={query}
        />
      ))}
    </details>
  )
}

const Contradictions = () => (
  <details class="card group" id="contradictions">
    <summary>
      <h2>Contradictions of the document</h2>
      <span class="quiet">{CONTRADICTIONS.length}</span>
    </summary>
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
  </details>
)
