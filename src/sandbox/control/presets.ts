/** Named states of the sandbox: choices, faults and the used part of the month. One press sets them. */
import { SECOND_MS } from '../../contract/duration.ts'
import { type Choices, DEFAULT_CHOICES } from '../choices/choices.ts'
import { monthOf } from '../limits/month.ts'
import { limitOf } from '../limits/plan-limit.ts'
import type { Context } from '../state/context.ts'
import type { InjectedFault } from '../state/injected-fault.ts'
import type { Organization } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import type { UsageChanges } from './usage.ts'

export interface Preset {
  name: string
  means: string
  choices?: Partial<Choices>
  /** In the order in which requests meet them. */
  faults?: readonly InjectedFault[]
  usage?: PresetUsage
}

/** Nothing of minute and month is used, or the whole month if it has a limit (8.3). */
type PresetUsage = 'nothing' | 'whole_month'

const STRICTEST = {
  name: 'Strictest service',
  means: 'Every choice that leaves a client the least time, the fewest requests and the fewest credentials.',
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
    limitchange: 'at_once_below_used',
    downgrade: 'all_disabled',
    whokeys: 'admins_only',
    visibility: 'secret_once',
  },
} as const satisfies Preset

const MONTH_USED_UP = {
  name: 'Month used up',
  means: 'No request is left until the next month.',
  usage: 'whole_month',
} as const satisfies Preset

const HOSTILE_NETWORK = {
  name: 'Hostile network',
  means:
    'Answers of the API and of the token endpoint are two seconds late; ten of them are cut, lost or replaced.',
  choices: { fivexx: 'proxy_502', slow: 'seconds_2' },
  faults: [
    { operation: 'token', kind: 'delay', ms: 5 * SECOND_MS, times: 1 },
    { operation: 'organization', kind: 'truncate', times: 1 },
    { operation: 'organization', kind: 'html', status: 502, times: 1 },
    { operation: 'rate_limit', kind: 'lost', times: 1 },
    { operation: 'token', kind: 'lost', times: 1 },
    { operation: 'organization', kind: 'reset', times: 2 },
    { operation: 'rate_limit', kind: 'garbage', times: 1 },
    { operation: 'organization', kind: 'server_error', times: 2 },
  ],
} as const satisfies Preset

export const PRESETS: Record<string, Preset> = {
  strictest: STRICTEST,
  month_used_up: MONTH_USED_UP,
  hostile_network: HOSTILE_NETWORK,
}

/** The choices that presets change, at their default. */
const TAKEN_BACK = Object.fromEntries(
  Object.values(PRESETS)
    .flatMap(({ choices = {} }) => Object.keys(choices) as (keyof Choices)[])
    .map((key) => [key, DEFAULT_CHOICES[key]]),
) as Partial<Choices>

const DEFAULT: Preset = {
  name: 'Default',
  means: 'Takes all presets back.',
  choices: TAKEN_BACK,
  faults: [],
  usage: 'nothing',
}

const APPLICABLE: Record<string, Preset> = { ...PRESETS, default: DEFAULT }

const PRESET_COUNTS: Record<PresetUsage, (limit: number | undefined) => UsageChanges[string]> = {
  nothing: () => ({ month: 0, read: 0, update: 0 }),
  whole_month: (limit) => (limit === undefined ? {} : { month: limit }),
}

type PresetContext = Pick<Context, 'state' | 'choices' | 'nowMs'>

export function isApplied(context: PresetContext, { choices = {}, faults = [], usage }: Preset): boolean {
  const { state } = context
  return (
    Object.entries(choices).every(([key, value]) => state.choices[key as keyof Choices] === value) &&
    faults.every(({ operation, kind }) =>
      state.faults.some((set) => set.operation === operation && set.kind === kind),
    ) &&
    (usage !== 'whole_month' ||
      state.organizations.every((organization) => hasNoMonthLeft(context, organization)))
  )
}

const hasNoMonthLeft = (context: PresetContext, organization: DeepReadonly<Organization>): boolean =>
  monthOf(context, organization).count >= (limitOf(context, organization, 'per_month') ?? 0)

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
  const preset = Object.entries(APPLICABLE).find(([name]) => name === wanted)?.[1]
  if (preset === undefined) throw new Error(`A preset must be one of: ${Object.keys(APPLICABLE).join(', ')}`)
  const { choices, faults, usage } = preset
  if (choices) actions.changeChoices(choices)
  if (faults) actions.clearFaults()
  for (const fault of faults ?? []) actions.addFault(fault)
  if (usage) actions.changeUsage(usageIn(context, PRESET_COUNTS[usage]))
}

const usageIn = (
  context: Pick<Context, 'state'>,
  counts: (typeof PRESET_COUNTS)[PresetUsage],
): UsageChanges =>
  Object.fromEntries(
    context.state.organizations.map((organization) => [
      organization.id,
      counts(limitOf(context, organization, 'per_month')),
    ]),
  )
