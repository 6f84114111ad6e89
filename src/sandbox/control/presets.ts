/** Named states of the sandbox: choices, faults and what is used of the limits. */
import * as v from 'valibot'
import { SECOND_MS } from '../../contract/duration.ts'
import type { Choices } from '../choices/choices.ts'
import type { InjectedFault } from '../state/injected-fault.ts'

interface Preset {
  means: string
  choices?: Partial<Choices>
  /** In the order in which requests meet them. */
  faults?: readonly InjectedFault[]
  used?: 'month' | 'minute'
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

export const PRESETS: Record<keyof typeof NAMED, Preset> = NAMED
export const PRESET = v.strictObject({ name: v.picklist(Object.keys(NAMED) as (keyof typeof NAMED)[]) })
