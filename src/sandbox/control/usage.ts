/** Reads and sets the used part of each organization's minute and month. */
import { isJsonObject } from '../../contract/json.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { authenticate } from '../api/credential.ts'
import { countMonth, monthOf } from '../limits/month.ts'
import { limitOf } from '../limits/plan-limit.ts'
import { countedBy, countMinute, type ReportedWindow, windowOf } from '../limits/rate-limit.ts'
import type { Context, Holder } from '../state/context.ts'
import type { Organization } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'

/** Counted requests of the month, and of the open minute of the credential with the fewest left. */
export type Usage = Record<'month' | RequestClass, number>

/** By organization id. A count that is not named stays. */
export type UsageChanges = Record<string, Partial<Usage>>

export const COUNT_NAMES = ['month', 'read', 'update'] as const
const MOST_COUNTED = 10_000

/** The holders of all credentials that the organization can send now. */
function holdersOf(context: Context, organization: DeepReadonly<Organization>): Holder[] {
  const { api_keys, access_tokens } = context.state
  const sent = [
    ...api_keys.map(({ value }): [string, string] => [context.apiKeyHeader, value]),
    ...Object.keys(access_tokens).map((token): [string, string] => ['Authorization', `Bearer ${token}`]),
  ]
  return sent.flatMap((header) => {
    const { holder } = authenticate(context, new Headers([header]), '/rate_limit')
    return holder?.organization.id === organization.id ? [holder] : []
  })
}

/** The window of the credential with the fewest requests left. */
export function minuteOf(
  context: Context,
  organization: DeepReadonly<Organization>,
  requestClass: RequestClass,
): Omit<ReportedWindow, 'reset'> {
  const limit = limitOf(context, organization, `${requestClass}_per_minute`)
  const windows = holdersOf(context, organization).map((holder) => windowOf(context, holder, requestClass))
  return windows.toSorted((one, other) => one.remaining - other.remaining)[0] ?? { limit, remaining: limit }
}

/** By organization id. */
export function usageOf(context: Context): Record<string, Usage> {
  const used = (organization: DeepReadonly<Organization>, requestClass: RequestClass) => {
    const { limit, remaining } = minuteOf(context, organization, requestClass)
    return limit - remaining
  }
  return Object.fromEntries(
    context.state.organizations.map((organization) => [
      organization.id,
      {
        month: monthOf(context, organization).count,
        read: used(organization, 'read'),
        update: used(organization, 'update'),
      },
    ]),
  )
}

/** @throws Error that names the first mistake */
export function parseUsage(value: unknown, { organizations }: Context['state']): UsageChanges {
  if (!isJsonObject(value)) throw new Error('The usage must be an object')
  for (const [id, counts] of Object.entries(value)) {
    if (!organizations.some((known) => String(known.id) === id))
      throw new Error('The usage names an organization that does not exist')
    if (!isJsonObject(counts) || !Object.entries(counts).every(isCount))
      throw new Error(
        `Counts must be whole numbers from 0 to ${MOST_COUNTED} named ${COUNT_NAMES.join(', ')}`,
      )
  }
  return value as UsageChanges
}

const isCount = ([name, count]: [string, unknown]): boolean =>
  (COUNT_NAMES as readonly string[]).includes(name) &&
  Number.isInteger(count) &&
  (count as number) >= 0 &&
  (count as number) <= MOST_COUNTED

/** The minute is set for each credential that can be sent now, and not for later ones. */
export function setUsage(context: Context, changes: UsageChanges): void {
  for (const organization of context.state.organizations) {
    const { month, read, update } = changes[organization.id] ?? {}
    if (month !== undefined) countMonth(context, organization, month - monthOf(context, organization).count)
    const holders = read === undefined && update === undefined ? [] : holdersOf(context, organization)
    for (const holder of holders) {
      if (read !== undefined) setMinute(context, holder, 'read', read)
      if (update !== undefined) setMinute(context, holder, 'update', update)
    }
  }
}

function setMinute(context: Context, holder: Holder, requestClass: RequestClass, used: number): void {
  const by = countedBy(context, holder)
  context.change(({ windows }) => {
    delete windows[by]?.[requestClass]
  })
  for (let nth = 0; nth < used; nth += 1) countMinute(context, holder, requestClass)
}
