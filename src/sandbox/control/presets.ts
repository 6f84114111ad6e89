/** Named states of the sandbox: choices, faults and what is used of the limits. */
import { SECOND_MS } from '../../contract/duration.ts'
import { type Choices, DEFAULT_CHOICES } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import type { InjectedFault } from '../state/injected-fault.ts'
import { type UsageChanges, usageFor } from './usage.ts'

export interface Preset {
  means: string
  choices?: Partial<Choices>
  /** In the order in which requests meet them. */
  faults?: readonly InjectedFault[]
  used?: 'month' | 'minute' | 'nothing'
}

const NAMED = {
  strictest: {
    means: 'Every choice that leaves a client the least time and the fewest requests.',
    choices: {
      statechars: 'vschar_255',
      codelife: 'seconds_30',
      pkce: 'enforced',
      reuse: 'refused_family_revoked',
      rtlife: 'hours_24',
      oldaccess: 'revoked',
      secondgrant: 'first_revoked',
      toklimit: 'counts_as_update',
      refusedcount: 'minute_and_month',
      failcount: 'all',
      preflight: 'both_count',
      pertoken: 'user',
    },
  },
  lenient: {
    means: 'Everything that a client gets wrong and some services forgive.',
    choices: { enc: 'both', reuse: 'accepted', rotation: 'new_old_valid', boundary: 'tolerance_15_seconds' },
  },
  month_used_up: { means: 'No request is left until the next month.', used: 'month' },
  minute_used_up: { means: 'No request is left until the next minute.', used: 'minute' },
  hostile_network: {
    means: 'Every answer is two seconds late; ten of them are cut, lost or replaced.',
    faults: [
      { operation: 'token', kind: 'delay', ms: 5 * SECOND_MS, times: 1 },
      { operation: 'organization', kind: 'truncate', times: 1 },
      { operation: 'organization', kind: 'html', status: 502, times: 1 },
      { operation: 'rate_limit', kind: 'lost', times: 1 },
      { operation: 'token', kind: 'lost', times: 1 },
      { operation: 'organization', kind: 'reset', times: 2 },
      { operation: 'rate_limit', kind: 'garbage', times: 1 },
      { operation: 'organization', kind: 'server_error', times: 2 },
      { operation: 'any', kind: 'delay', ms: 2 * SECOND_MS, times: 10_000 },
    ],
  },
} satisfies Record<string, Preset>

/** The choices that presets change, at their default. */
const TAKEN_BACK = Object.fromEntries(
  Object.values<Preset>(NAMED)
    .flatMap(({ choices = {} }) => Object.keys(choices) as (keyof Choices)[])
    .map((key) => [key, DEFAULT_CHOICES[key]]),
)

export const PRESETS: Record<string, Preset> = {
  default: { means: 'Takes all presets back.', choices: TAKEN_BACK, faults: [], used: 'nothing' },
  ...NAMED,
}

interface PresetActions {
  changeChoices: (changes: Partial<Choices>) => unknown
  clearFaults: () => void
  addFault: (fault: InjectedFault) => void
  changeUsage: (changes: UsageChanges) => void
}

/** Sets only what the preset lists. @throws Error that names the presets */
export function applyPreset(
  wanted: unknown,
  { actions, context }: { actions: PresetActions; context: Pick<Context, 'state'> },
): void {
  const preset = Object.entries(PRESETS).find(([name]) => name === wanted)?.[1]
  if (preset === undefined) throw new Error(`A preset must be one of: ${Object.keys(PRESETS).join(', ')}`)
  const { choices, faults, used } = preset
  if (choices) actions.changeChoices(choices)
  if (faults) actions.clearFaults()
  for (const fault of faults ?? []) actions.addFault(fault)
  if (used) actions.changeUsage(usageFor(context, used))
}
