import { useMutation } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import type { Problem } from '../../contract/problem.ts'
import { Notice } from '../components/notice.tsx'
import { useOffline } from '../lib/online.ts'
import { type Wait, waitOf } from '../quota/pause.ts'
import { cautionWords, type Price, priceOf, priceWords } from './price.ts'
import { readQuota } from '../quota/quota.ts'
import { reasonWords } from '../lib/reason-words.ts'
import { Room } from '../components/room.tsx'
import priceStyles from '../components/price.module.css'
import styles from './button.module.css'
import { sentenceGap, sentences } from '../text/language.ts'
import { Sentence } from '../text/sentence.tsx'
import { signedInText } from '../text/text.ts'
import { countdownWords, useElapsed } from '../lib/time.ts'
import { useUi } from '../lib/ui.ts'

export interface Spend {
  run: () => void
  busy: boolean
  problem: Problem | null
}

/** Costs one read, however fast presses follow each other. */
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

/** The space below, which is always there, says how long and why the button is held back. */
export function SpendButton({ label, anyway, spend, primary = false, shortcut }: SpendButtonProps) {
  const t = signedInText().press
  const why = useId()
  const { wait, price } = useRead()
  const held = wait?.code === 'month_suspected' ? undefined : wait
  const blocked = spend.busy || held !== undefined
  const shown = price.kind === 'doubtful' || price.kind === 'refused' ? anyway : label
  return (
    <div className={styles.spend}>
      <button
        type="button"
        data-kind={primary ? 'primary' : undefined}
        data-shortcut={shortcut}
        aria-disabled={blocked}
        aria-busy={spend.busy}
        aria-describedby={why}
        // The longest words, so that it has their width from the start.
        data-plain={label + t.price(t.requests(2))}
        data-anyway={anyway + t.price(t.upTo(t.requests(2)))}
        onClick={() => !blocked && spend.run()}
      >
        <span>
          {spend.busy ? t.busy : shown}
          <span className={priceStyles.price}>{t.price(priceWords(price))}</span>
        </span>
      </button>
      <Room className={styles.why} id={why} others={longestWhys()}>
        <Why held={held} price={price} problem={spend.problem} />
      </Room>
    </div>
  )
}

/** The longest usual reasons size the space below a button. */
function longestWhys(): string[] {
  const { press: t } = signedInText()
  return [
    t.possibleIn(countdownWords(59_000)) + sentenceGap() + reasonWords({ code: 'minute_used_up' }),
    sentences(t.refused, t.lastRefused),
  ]
}

function Why({ held, price, problem }: { held: Wait | undefined; price: Price; problem: Problem | null }) {
  const t = signedInText().press
  const isOffline = useOffline()
  if (isOffline && problem?.code === 'bff_unreachable') return t.offline
  if (held === undefined) {
    const caution = cautionWords(price)
    return caution && problem?.status === 429 ? sentences(caution, t.lastRefused) : caution
  }
  return (
    <>
      <Sentence of={t.possibleIn}>
        <span role="timer">{countdownWords(held.endsInMs)}</span>
      </Sentence>
      {sentenceGap()}
      {sentences(...held.reasons.map(reasonWords))}
    </>
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

/** Says why the last press failed, if the lines at the button do not. */
export function SpendNotice({ spend: { problem, run }, again }: { spend: Spend; again: string }) {
  const isKnown = useUi((ui) => ui.quota !== undefined)
  const isOffline = useOffline()
  const { price } = useRead()
  if (!problem || (problem.status === 429 && isKnown)) return null
  if (problem.code === 'bff_unreachable' && isOffline) return null
  const label = again + signedInText().press.price(priceWords(price))
  return <Notice problem={problem} actions={{ again: { label, run } }} />
}
