/** An action that a press starts and that costs no request: one at a time, and never by itself again. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { Problem } from '../../contract/problem.ts'

export interface Free<V, D> {
  /** Does nothing while the action runs. */
  run: (variables: V) => void
  /** Repeats the last press. */
  again: () => void
  busy: boolean
  problem: Problem | null
  /** What the press with the problem was about. */
  refused: V | undefined
  /** What the last press was about, what came of it, and Date.now() at it; absent until it has succeeded. */
  done: { of: V; result: D; atMs: number } | undefined
  /** Forgets how the last press ended. */
  forget: () => void
}

interface Options<V, D> {
  /** Queries that are asked again before the action ends. */
  changes?: readonly QueryKey[]
  onDone?: (result: D, variables: V) => void
}

export function useFree<V = void, D = void>(
  work: (variables: V) => Promise<D>,
  { changes = [], onDone }: Options<V, D> = {},
): Free<V, D> {
  const client = useQueryClient()
  const mutationKey = [useId()]
  const { mutate, reset, variables, data, error, isPending, isSuccess, submittedAt } = useMutation({
    mutationKey,
    mutationFn: work,
    onSuccess: async (result, of) => {
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })))
      onDone?.(result, of)
    },
  })
  const run = (of: V): void => {
    if (client.isMutating({ mutationKey }) === 0) mutate(of)
  }
  return {
    run,
    again: () => run(variables as V),
    busy: isPending,
    problem: error,
    refused: error === null ? undefined : variables,
    done: isSuccess ? { of: variables, result: data, atMs: submittedAt } : undefined,
    forget: reset,
  }
}
