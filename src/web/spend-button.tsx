import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Problem } from '../contract/problem.ts'
import { Notice } from './notice.tsx'
import { type Wait, waitOf } from './pause.ts'
import { readQuota } from './quota.ts'
import styles from './spend-button.module.css'
import { countdownWords, useElapsed } from './time.ts'
import { useUi } from './ui.ts'

export interface Spend {
  run: () => void
  busy: boolean
  problem: Problem | null
}

/** Work that costs one read request: once, however fast presses follow each other. */
export function useSpend<Result>(work: () => Promise<Result>, onDone?: (result: Result) => void): Spend {
  const running = useRef(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: work,
    onMutate: () => useUi.setState(({ sending }) => ({ sending: sending + 1 })),
    onSuccess: (result) => onDone?.(result),
    onSettled: () => {
      running.current = false
      useUi.setState(({ sending }) => ({ sending: sending - 1 }))
      void readQuota()
    },
  })
  const run = (): void => {
    if (running.current) return
    running.current = true
    mutate()
  }
  return { run, busy: isPending, problem: error }
}

interface SpendButtonProps {
  label: string
  /** The label while the month is only suspected to be used up. */
  anyway: string
  spend: Spend
  primary?: boolean
}

/** A button with its price on it; while a limit is reached it shows until when, and why. */
export function SpendButton({ label, anyway, spend, primary = false }: SpendButtonProps) {
  const wait = useReadWait()
  const suspected = wait?.code === 'month_suspected'
  const blocked = spend.busy || (wait !== undefined && !suspected)
  return (
    <div className={styles.spend}>
      <button
        type="button"
        data-kind={primary ? 'primary' : undefined}
        aria-disabled={blocked}
        aria-busy={spend.busy}
        onClick={() => !blocked && spend.run()}
      >
        {suspected ? anyway : label}
        <span className={styles.price}> · {suspected ? 'may use 1 request' : '1 request'}</span>
      </button>
      {wait && (
        <p className={styles.why}>
          {!suspected && (
            <>
              Possible again in <span role="timer">{countdownWords(wait.endsInMs)}</span>.{' '}
            </>
          )}
          {wait.reasons.join(' ')}
        </p>
      )}
    </div>
  )
}

function useReadWait(): Wait | undefined {
  const quota = useUi((ui) => ui.quota)
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  return quota && waitOf(quota.snapshot, 'read', elapsedMs)
}

/** Why the last press failed; a refusal by a limit is shown for as long as the limit holds. */
export function SpendNotice({ spend, again }: { spend: Spend; again: string }) {
  const isKnown = useUi((ui) => ui.quota !== undefined)
  const wait = useReadWait()
  const { problem } = spend
  if (!problem) return null
  if (problem.status === 429 && isKnown && !wait) return null
  return <Notice problem={problem} actions={{ again: { label: `${again} · 1 request`, run: spend.run } }} />
}
