/** Named states of the sandbox, each set with one press: choices, faults, and what is used of the month. */
import { type Choices, DEFAULT_CHOICES } from '../choices/choices.ts'
import { isMonthOver } from '../limits/month.ts'
import { limitsOf } from '../limits/plan-limit.ts'
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
  /** Whether the month of each organization that has a limit is used up (8.3). */
  usesUpMonth?: true
}

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
  usesUpMonth: true,
} as const satisfies Preset

const HOSTILE_NETWORK = {
  name: 'Hostile network',
  means: 'Answers are cut, lost or replaced by a proxy, ten times in all; every answer is two seconds late.',
  choices: { fivexx: 'proxy_502', slow: 'seconds_2' },
  faults: [
    { operation: 'token', kind: 'delay', ms: 5000, times: 1 },
    { operation: 'organization', kind: 'truncate', times: 1 },
    { operation: 'organization', kind: 'html', status: 502, times: 1 },
    { operation: 'rate_limit', kind: 'lost', times: 1 },
    { operation: 'token', kind: 'lost', times: 1 },
    { operation: 'any', kind: 'reset', times: 2 },
    { operation: 'any', kind: 'garbage', times: 1 },
    { operation: 'any', kind: 'server_error', times: 2 },
  ],
} as const satisfies Preset

export const PRESETS: Record<string, Preset> = {
  strictest: STRICTEST,
  month_used_up: MONTH_USED_UP,
  hostile_network: HOSTILE_NETWORK,
}

/** The preset that takes back all others: their choices at the default, no fault, nothing used. */
export const DEFAULT_PRESET = 'default'

/** The choices that presets change, at their default. */
const TAKEN_BACK = Object.fromEntries(
  Object.values(PRESETS)
    .flatMap(({ choices = {} }) => Object.keys(choices) as (keyof Choices)[])
    .map((key) => [key, DEFAULT_CHOICES[key]]),
) as Partial<Choices>

/** Whether everything that the preset sets is as it sets it. */
export function isApplied(context: Context, { choices = {}, faults = [], usesUpMonth }: Preset): boolean {
  const { state } = context
  return (
    Object.entries(choices).every(([key, value]) => state.choices[key as keyof Choices] === value) &&
    faults.every(({ operation, kind }) =>
      state.faults.some((set) => set.operation === operation && set.kind === kind),
    ) &&
    (!usesUpMonth || state.organizations.every((organization) => hasNoMonthLeft(context, organization)))
  )
}

const hasNoMonthLeft = (context: Context, organization: DeepReadonly<Organization>): boolean =>
  limitsOf(context, organization).per_month === undefined || isMonthOver(context, organization)

/** The actions that a preset consists of. */
interface Parts {
  changeChoices: (changes: Partial<Choices>) => unknown
  clearFaults: () => void
  addFault: (fault: InjectedFault) => void
  changeUsage: (changes: UsageChanges) => void
}

/** Sets what the preset lists, and nothing else. @throws Error that names the presets */
export function applyPreset(
  name: unknown,
  { actions, context }: { actions: Parts; context: Pick<Context, 'state'> },
): void {
  const preset = typeof name === 'string' && Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined
  if (preset === undefined && name !== DEFAULT_PRESET)
    throw new Error(`A preset is one of: ${[...Object.keys(PRESETS), DEFAULT_PRESET].join(', ')}`)
  actions.changeChoices(preset === undefined ? TAKEN_BACK : (preset.choices ?? {}))
  if (preset === undefined || preset.faults) actions.clearFaults()
  for (const fault of preset?.faults ?? []) actions.addFault(fault)
  if (preset === undefined || preset.usesUpMonth) actions.changeUsage(usageOfPreset(context, preset))
}

const usageOfPreset = (context: Pick<Context, 'state'>, preset: Preset | undefined): UsageChanges =>
  Object.fromEntries(
    context.state.organizations.map((organization): [number, UsageChanges[string]] => {
      if (preset === undefined) return [organization.id, { month: 0, read: 0, update: 0 }]
      const { per_month: limit } = limitsOf(context, organization)
      return [organization.id, limit === undefined ? {} : { month: limit }]
    }),
  )
