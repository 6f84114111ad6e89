/** Reads that cost a request: the only place that may send one, once for each press of a labelled button. */
import { type MutationState, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { API_PREFIX, SPEND_HEADER } from '../../contract/api.ts'
import type { Press } from '../../contract/price.ts'
import type { Problem } from '../../contract/problem.ts'
import { RATE_LIMIT_PATH } from '../../contract/rate-limit.ts'
import { getAnswer, type ReceivedAnswer } from '../lib/api.ts'
import { putAnswer, refetchQuota } from '../quota/query.ts'

export interface Paid {
  /** Does nothing while the same press is under way. */
  run: () => void
  busy: boolean
  problem: Problem | null
  /** The browser was offline at the last press. */
  isUnsent: boolean
  /** Date.now() at the last press. */
  pressedAtMs: number
  /** The answer to the last press. */
  answer: ReceivedAnswer | undefined
  press: Press
}

interface PressedAt {
  isOnline: boolean
}

/** Of all paid reads of this page. */
export const PAID_KEY = ['paid'] as const

/** Costs one read, however fast presses follow each other. Offline a press fails, and is not sent later. */
export function usePaidRead(
  press: Press,
  address: string,
  onAnswer?: (answer: ReceivedAnswer) => void,
): Paid {
  const client = useQueryClient()
  const mutationKey = [...PAID_KEY, press]
  const { mutate } = useMutation<ReceivedAnswer, Problem, PressedAt>({
    mutationKey,
    mutationFn: () =>
      getAnswer(address, {
        headers: { [SPEND_HEADER]: '1' },
        onHeaders: (headers) => putAnswer(client, headers),
      }),
    onSuccess: (answer) => onAnswer?.(answer),
    onError: () => void refetchQuota(client),
  })
  // Also of a press before the person left the page and came back.
  const last = useMutationState({
    filters: { mutationKey },
    select: ({ state }) => state as MutationState<ReceivedAnswer, Problem, PressedAt>,
  }).at(-1)
  const run = (): void => {
    if (client.isMutating({ mutationKey }) === 0) mutate({ isOnline: navigator.onLine })
  }
  const { status, error: problem = null, data: answer, submittedAt: pressedAtMs = 0, variables } = last ?? {}
  const isUnsent = problem?.code === 'bff_unreachable' && variables?.isOnline === false
  return { run, busy: status === 'pending', problem, isUnsent, pressedAtMs, answer, press }
}

export const useLimitsCheck = (): Paid => usePaidRead('check', API_PREFIX + RATE_LIMIT_PATH)
