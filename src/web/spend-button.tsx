import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Problem } from '../contract/problem.ts'
import { Notice } from './notice.tsx'
import { type Wait, waitOf } from './pause.ts'
import { type Price, priceOf, priceWords } from './price.ts'
import { readQuota } from './quota.ts'
import { reasonWords } from './reason-words.ts'
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
  /** The label while the month may be used up. */
  anyway: string
  spend: Spend
  primary?: boolean
  /** The key that moves the focus here. */
  shortcut?: string
}

/** A button with its price on it, and below it, in a line that is always there, until when it cannot be pressed and why. */
export function SpendButton({ label, anyway, spend, primary = false, shortcut }: SpendButtonProps) {
  const { wait, price } = useRead()
  const held = wait?.code === 'month_suspected' ? undefined : wait
  const blocked = spend.busy || held !== undefined
  const labels = {
    plain: label,
    reserved: label,
    doubtful: anyway,
    refused: anyway,
  }
  return (
    <div className={styles.spend}>
      <button
        type="button"
        data-kind={primary ? 'primary' : undefined}
        data-shortcut={shortcut}
        aria-disabled={blocked}
        aria-busy={spend.busy}
        onClick={() => !blocked && spend.run()}
      >
        {labels[price.kind]}
        <span className={styles.price}> · {priceWords(price)}</span>
      </button>
      <p className={styles.why}>
        {held && (
          <>
            Possible again in <span role="timer">{countdownWords(held.endsInMs)}</span>.{' '}
            {held.reasons.map(reasonWords).join(' ')}
          </>
        )}
      </p>
    </div>
  )
}

const PLAIN: Price = { kind: 'plain', requests: 1 }

function useRead(): { wait: Wait | undefined; price: Price } {
  const quota = useUi((ui) => ui.quota)
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  if (quota === undefined) return { wait: undefined, price: PLAIN }
  const { snapshot } = quota
  return { wait: waitOf(snapshot, 'read', elapsedMs), price: priceOf(snapshot, elapsedMs) }
}

/** Why the last press failed; a refusal by a limit is shown for as long as the limit holds. */
export function SpendNotice({ spend, again }: { spend: Spend; again: string }) {
  const isKnown = useUi((ui) => ui.quota !== undefined)
  const { wait, price } = useRead()
  const { problem } = spend
  if (!problem) return null
  if (problem.status === 429 && isKnown && !wait) return null
  return (
    <Notice
      problem={problem}
      actions={{ again: { label: `${again} · ${priceWords(price)}`, run: spend.run } }}
    />
  )
}
