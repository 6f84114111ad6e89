/** Reads and sets the used part of each organization's minute and month. */
import * as v from 'valibot'
import { SECOND_MS } from '../../contract/duration.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { holderOfKey, holderOfToken } from '../api/credential.ts'
import type { Choices } from '../choices/choices.ts'
import { countMonth, limitsOf, monthOf } from '../limits/month.ts'
import { countedBy, setMinutes, windowOf } from '../limits/rate-limit.ts'
import type { Context, Holder } from '../state/context.ts'
import type { InjectedFault } from '../state/injected-fault.ts'
import { whole } from '../state/parse.ts'

const minute = v.exactOptional(whole(0, 10_000))
export const USAGE = v.strictObject({ month: v.exactOptional(whole(0, 1e8)), read: minute, update: minute })
/** By organization id. A count that is not named stays. */
type UsageChanges = Record<string, v.InferOutput<typeof USAGE>>

/** The holders of credentials that can be sent now, by organization id and by what counts their minute. */
function holdersOf(context: Context): Map<number, Map<string, Holder>> {
  const { api_keys, access_tokens, organizations } = context.state
  const all = [
    ...api_keys.map((key) => holderOfKey(context, key)),
    ...Object.keys(access_tokens).map((token) => holderOfToken(context, token)),
  ]
  const found = new Map(organizations.map(({ id }) => [id, new Map<string, Holder>()]))
  for (const { holder } of all)
    if (holder) found.get(holder.organization.id)?.set(countedBy(context, holder), holder)
  return found
}

/** By organization id. The minute is that of the credential with the fewest requests left. */
export function usageOf(context: Context): UsageChanges {
  const holders = holdersOf(context)
  const used = (id: number, requestClass: RequestClass) => {
    const windows = [...(holders.get(id)?.values() ?? [])].map((one) => windowOf(context, one, requestClass))
    return windows.reduce((most, { limit, remaining }) => Math.max(most, limit - remaining), 0)
  }
  return Object.fromEntries(
    context.state.organizations.map((organization) => {
      const { id } = organization
      const { count: month } = monthOf(context, organization)
      return [id, { month, read: used(id, 'read'), update: used(id, 'update') }]
    }),
  )
}

/** The minute is set for each credential that can be sent now, and not for later ones. */
export function setUsage(context: Context, changes: UsageChanges): void {
  const holders = holdersOf(context)
  for (const organization of context.state.organizations) {
    const { month, read, update } = changes[organization.id] ?? {}
    const minutes = { organization, keys: [...(holders.get(organization.id)?.keys() ?? [])] }
    if (month !== undefined) countMonth(context, organization, month - monthOf(context, organization).count)
    if (read !== undefined) setMinutes(context, minutes, 'read', read)
    if (update !== undefined) setMinutes(context, minutes, 'update', update)
  }
}

export const usageFor = (context: Context, what: 'month' | 'minute'): UsageChanges =>
  Object.fromEntries(
    context.state.organizations.map((organization) => {
      const { per_month, read_per_minute, update_per_minute } = limitsOf(context, organization)
      const month = per_month === undefined ? {} : { month: per_month }
      return [
        organization.id,
        what === 'month' ? month : { read: read_per_minute, update: update_per_minute },
      ]
    }),
  )

interface Preset {
  means: string
  choices?: Partial<Choices>
  /** In the order in which requests meet them. */
  faults?: readonly InjectedFault[]
  used?: 'month' | 'minute'
}

const NAMED = {
  strictest: {
    means: 'Choices that ask more of a client, and leave it less time and fewer requests.',
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
    means: 'Everything that some services forgive a client.',
    choices: { enc: 'both', reuse: 'accepted', rotation: 'new_old_valid', boundary: 'tolerance_15_seconds' },
  },
  month_used_up: { means: 'No request is left until the next month.', used: 'month' },
  minute_used_up: {
    means: 'No credential that exists now has a request left until the next minute.',
    used: 'minute',
  },
  hostile_network: {
    means: 'Nine answers are cut, lost or replaced, one is 5 s late, and all others are 2 s late.',
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

export const PRESETS: Record<keyof typeof NAMED, Preset> = NAMED
export const PRESET = v.strictObject({ name: v.picklist(Object.keys(NAMED) as (keyof typeof NAMED)[]) })
