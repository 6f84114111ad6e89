/** @jsxImportSource hono/jsx */
/** Draws the presets: the contents of each, and a button that applies it. */
import { CHOICES, type ChoiceKey } from '../choices/choices.ts'
import { groupOf } from '../choices/groups.ts'
import type { ControlContext } from './control-layout.tsx'
import { CsrfField } from './control-layout.tsx'
import { HITS } from './fault-form.tsx'
import { isApplied, type Preset, PRESETS } from './presets.ts'

export const PresetCards = ({ context, csrfToken }: Pick<ControlContext, 'context' | 'csrfToken'>) => (
  <section class="card" aria-labelledby="presets">
    <div class="between">
      <h2 id="presets">Presets</h2>
      <form method="post">
        <CsrfField csrfToken={csrfToken} />
        <button name="preset" value="default">
          Default
        </button>
      </form>
    </div>
    <ul class="presets">
      {Object.entries(PRESETS).map(([name, preset]) => (
        <li key={name}>
          <h3>
            {preset.name} {isApplied(context, preset) && <span class="chip">applied</span>}
          </h3>
          <p>{preset.means}</p>
          <Contents preset={preset} />
          <form method="post">
            <CsrfField csrfToken={csrfToken} />
            <button name="preset" value={name}>
              Apply<span class="aside"> {preset.name}</span>
            </button>
          </form>
        </li>
      ))}
    </ul>
    <p class="quiet">
      A preset sets what it lists and nothing else; its faults replace those that are set. Default takes all
      of them back: their choices at the default, no fault, nothing used of the minute and the month.
    </p>
  </section>
)

const Contents = ({ preset }: { preset: Preset }) => {
  const { name, choices = {}, faults = [], usage } = preset
  const chosen = Object.entries(choices) as [ChoiceKey, string][]
  const summary = [
    chosen.length > 0 && `${chosen.length} choices`,
    faults.length > 0 && `${faults.length} faults`,
    usage && 'the count of the month',
  ].filter(Boolean)
  return (
    <details>
      <summary>
        Sets {summary.join(' and ')}
        <span class="aside">: {name}</span>
      </summary>
      <ul>
        {chosen.map(([key, value]) => (
          <li key={key}>
            <a href={`?open=${groupOf(key)}#${key}`}>
              U{CHOICES[key].number} {key}
            </a>
            : {CHOICES[key].values.find((variant) => variant.value === value)?.means}
          </li>
        ))}
        {faults.map(({ operation, kind, times, ms, status }) => (
          <li key={`${operation} ${kind}`}>
            {times} × <code>{kind}</code>
            {ms !== undefined && ` of ${ms} ms`}
            {status !== undefined && ` with ${status}`}: {HITS[operation]}
          </li>
        ))}
        {usage && <li>In each organization with a limit, all requests of this month are used.</li>}
      </ul>
    </details>
  )
}
