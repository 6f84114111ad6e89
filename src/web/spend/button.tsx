import { useMutation } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import type { Problem } from '../../contract/problem.ts'
import { Notice } from '../components/notice.tsx'
import { useOffline } from '../lib/online.ts'
import { type Wait, waitOf } from '../quota/pause.ts'
import { type Press, type Price, type PriceFacts, priceOf } from '../../contract/price.ts'
import { type Caution, cautionOf, cautionWords, priceWords, spentWords } from './price.ts'
import { readQuota } from '../quota/quota.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { useSessionState } from '../session/session.ts'
import { reasonWords } from '../lib/reason-words.ts'
import { Room } from '../components/room.tsx'
import priceStyles from '../components/price.module.css'
import styles from './button.module.css'
import { sentenceGap, sentences } from '../text/language.ts'
import { Sentence } from '../text/sentence.tsx'
import { signedInText, text } from '../text/text.ts'
import { countdownWords, useElapsed } from '../lib/time.ts'
import { useUi } from '../lib/ui.ts'

export interface Spend {
  run: () => void
  busy: boolean
  problem: Problem | null
  /** The answer to the last press. */
  answer: ReceivedAnswer | undefined
  press: Press
}

/** Costs one read, however fast presses follow each other. */
export function useSpend(
  press: Press,
  work: () => Promise<ReceivedAnswer>,
  onDone?: (answer: ReceivedAnswer) => void,
): Spend {
  const running = useRef(false)
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: work,
    onMutate: () => useUi.setState(({ sending }) => ({ sending: sending + 1 })),
    onSuccess: (answer) => onDone?.(answer),
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
  return { run, busy: isPending, problem: error, answer: data, press }
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
  const { requests } = text().app
  const why = useId()
  const { wait, price, caution } = useRead(spend.press)
  const held = wait?.code === 'month_suspected' ? undefined : wait
  const blocked = spend.busy || held !== undefined
  const shown = caution === 'doubtful' || caution === 'refused' ? anyway : label
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
        data-plain={label + t.price(requests(1, 2))}
        data-anyway={anyway + t.price(t.upTo(requests(2, 2)))}
        onClick={() => !blocked && spend.run()}
      >
        <span>
          {spend.busy ? t.busy : shown}
          <span className={priceStyles.price}>{t.price(priceWords(price, caution))}</span>
        </span>
      </button>
      <Room className={styles.why} id={why} others={longestWhys()}>
        <Why held={held} caution={caution} spend={spend} />
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

function Why({ held, caution, spend }: { held: Wait | undefined; caution: Caution; spend: Spend }) {
  const { problem, answer } = spend
  const t = signedInText().press
  const isOffline = useOffline()
  const facts = useUi(({ quota }) => quota?.snapshot)
  if (isOffline && problem?.code === 'bff_unreachable') return t.offline
  if (held === undefined) {
    const warning = cautionWords(caution)
    if (problem?.status === 429 && warning) return sentences(warning, t.lastRefused)
    // Only a token that was refused early makes a second read.
    return answer && answer.spent > 1 ? t.refusedEarly(spentWords(answer, facts)) : warning
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

/** The limit and the price of a press now. */
function useRead(press: Press): { wait: Wait | undefined; price: Price; caution: Caution } {
  const quota = useUi((ui) => ui.quota)
  const isSlept = useUi((ui) => ui.drifted)
  const isByKey = useSessionState(({ session }) => session?.signed_in && session.method === 'api_key')
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  if (quota === undefined) {
    const price = priceOf(press, isByKey ? {} : UNKNOWN)
    return { wait: undefined, price, caution: 'plain' }
  }
  const { snapshot } = quota
  const price = priceOf(press, snapshot, isSlept ? Infinity : elapsedMs)
  return { wait: waitOf(snapshot, 'read', elapsedMs), price, caution: cautionOf(snapshot, price, elapsedMs) }
}

/** Before the first snapshot a refresh may be due. */
const UNKNOWN: PriceFacts = { refresh: { due_in_ms: 0, counts: 'unknown' } }

/** Says why the last press failed, if the lines at the button do not. */
export function SpendNotice({ spend: { problem, run, press }, again }: { spend: Spend; again: string }) {
  const isKnown = useUi((ui) => ui.quota !== undefined)
  const isOffline = useOffline()
  const { price, caution } = useRead(press)
  if (!problem || (problem.status === 429 && isKnown)) return null
  if (problem.code === 'bff_unreachable' && isOffline) return null
  const label = again + signedInText().press.price(priceWords(price, caution))
  return <Notice problem={problem} actions={{ again: { label, run } }} />
}
