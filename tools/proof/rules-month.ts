/** Rules on the intervals on the page, the suspicion that the month is used up, and the findings (8.3). */
import { isErrorBody } from '../../src/contract/error-body.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { lastResetMs } from './month-width.ts'
import { type Call, codeOf, type Found, isRead, type Recording, type Reply } from './recording.ts'

export function monthInBetween({ months }: Recording): Found[] {
  return months
    .filter(({ low, high, truth }) => truth < low || truth > high)
    .map(({ at, low, high, truth }) => ({ what: `${at}: ${truth} is not in ${low} to ${high}` }))
}

export function monthNoWider({ months }: Recording): Found[] {
  return months
    .filter(({ low, high, unknown }) => high - low > unknown)
    .map(({ at, low, high, unknown }) => ({
      what: `${at}: ${low} to ${high}, though only ${unknown} are unknown`,
    }))
}

/** Only with a reading of the service's count of the whole organization. */
export function organizationInBetween({ months }: Recording): Found[] {
  return months.flatMap(({ at, organization }) => {
    if (organization === undefined) return []
    const { low, high, truth } = organization
    return truth >= low && truth <= high
      ? []
      : [{ what: `${at}: ${truth} is not in ${low} to ${high} of the organization` }]
  })
}

/** From a refusal for the month until a success, or the last instant at which the month may be reset. */
export function suspicionShown({ replies, calls, choices }: Recording): Found[] {
  const refusedAtMs = new Map<string, number | undefined>()
  const found: Found[] = []
  for (const reply of replies) {
    const { action, atMs } = reply
    const { organization } = action
    if (organization === undefined) continue
    const sent = calls.filter((call) => call.action === action && isRead(call))
    if (action.what === 'GET /bff/quota' && reply.status === 200 && refusedAtMs.has(organization)) {
      const { suspected } = (JSON.parse(reply.text) as QuotaSnapshot).month
      const since = refusedAtMs.get(organization)
      const isDue = since !== undefined && atMs < lastResetMs(since, choices.skew).least
      const isOver = since === undefined || atMs > lastResetMs(since, choices.skew).most
      if (isDue ? suspected === undefined : isOver && suspected !== undefined)
        found.push({ what: `action ${action.number}: ${isDue ? 'no suspicion is' : 'a suspicion is'} shown` })
    } else if (action.kind === 'press' && sent.length > 0) note(reply, sent, organization)
  }
  return found

  function note({ status, text, atMs }: Reply, sent: readonly Call[], organization: string): void {
    if (status === 429 && codeOf(text) === 'month_suspected')
      refusedAtMs.set(organization, refusedAtMs.get(organization) ?? atMs)
    else if (sent.some(isSuccess)) refusedAtMs.set(organization, undefined)
  }
}

const isSuccess = ({ answer }: Call): boolean =>
  answer !== undefined && answer.status < 300 && !isErrorBody(answer.text)

/** Findings about behaviour that the service's document leaves open. */
export const learntIsTrue = ({ learnt }: Recording): Found[] =>
  learnt
    .filter(({ isTrue }) => !isTrue)
    .map(({ at, name, value }) => ({ what: `${at}: ${name} is taken for ${value}` }))
