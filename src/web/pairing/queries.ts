/** What the two browsers of a pairing ask for. Nothing of it is sent to the service. */
import { queryOptions } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { PAIRING, type PairingClaim, type PairingOffer } from '../../contract/pairing.ts'
import type { Problem } from '../../contract/problem.ts'
import type { OwnSessions, SignedIn } from '../../contract/session.ts'
import { requestJson } from '../lib/api.ts'

const POLL_MS = 1500

export const offerCode = (): Promise<PairingOffer> => requestJson(PAIRING.offer, { method: 'POST' })

export const sessionIds = async (): Promise<string[]> =>
  (await requestJson<OwnSessions>(BFF.sessions)).sessions.map(({ id }) => id)

export const confirmNumber = (code: string, number: string): Promise<void> =>
  requestJson(PAIRING.offer, { method: 'PUT', body: { code, number } })

/** True once the second browser has asked for its session. @param before the sessions open until then */
export const openedQuery = (before: readonly string[] = []) =>
  queryOptions({
    queryKey: ['opened', before],
    queryFn: async () => (await sessionIds()).some((id) => !before.includes(id)),
    refetchInterval: ({ state }) => state.data !== true && POLL_MS,
    refetchIntervalInBackground: true,
    gcTime: 0,
  })

/** Of the second browser: `opened`, or until when it shows the number, by this browser's clock. */
export type Wait = 'opened' | { number: string; endsAtMs: number }

export const claimCode = async (code: string): Promise<Wait> =>
  waitIn(await requestJson<PairingClaim>(PAIRING.claim, { method: 'POST', body: { code } }))

const waitIn = ({ number, expires_in }: PairingClaim): Wait => ({
  number,
  endsAtMs: Date.now() + expires_in * SECOND_MS,
})

/** Any other failure ends no wait. */
export const isDefinite = ({ status }: Problem): boolean => status < 500 && status !== 429

export const isOver = (wait: Wait | undefined, nowMs = Date.now()): boolean =>
  wait !== undefined && wait !== 'opened' && wait.endsAtMs <= nowMs

/** Asks until the number is confirmed or refused, or its time is over. */
export const waitQuery = queryOptions({
  queryKey: ['pairing'],
  queryFn: async (): Promise<Wait> => {
    const body = await requestJson<PairingClaim | SignedIn>(PAIRING.session, { method: 'POST', body: {} })
    return 'signed_in' in body ? 'opened' : waitIn(body)
  },
  refetchInterval: ({ state: { data, error } }) =>
    data !== 'opened' &&
    !(error && isDefinite(error)) &&
    !isOver(data) &&
    Math.max(POLL_MS, error?.retryInMs ?? 0),
  refetchIntervalInBackground: true,
  gcTime: 0,
})

/** Without a name, nothing. If it fails, the person can name the browser in Your sessions. */
export async function nameBrowser(name = ''): Promise<void> {
  if (name === '') return
  await requestJson(BFF.browser, { method: 'PUT', body: { name } }).catch(() => {})
}
