import { useId } from 'react'
import type { QuotaSnapshot, MonthSnapshot } from '../../contract/quota.ts'
import { PATHS } from '../../contract/page.ts'
import { Notice } from '../components/notice.tsx'
import { pauseOf, type Wait } from '../../contract/pause.ts'
import type { Problem } from '../../contract/problem.ts'
import { type Press, type Price, type PriceFacts, priceOf, spentOf } from '../../contract/price.ts'
import { type Caution, cautionOf, isInviting } from '../../contract/press.ts'
import { useQuota } from '../quota/query.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { useSession } from '../session/own.tsx'
import { reasonWords } from '../lib/words.ts'
import { useElapsed } from '../lib/clock.ts'
import { navigate } from '../lib/router.ts'
import { countdownWords, sentences, numberText, rangeText } from '../text/format.ts'
import { words, text } from '../text/text.ts'
import { leftOf } from '../../contract/month-state.ts'
import type { Paid } from './paid.ts'

interface SpendButtonProps {
  label: string
  spend: Paid
  primary?: boolean
}

/** The line below says how long and why the button is held back. */
export function SpendButton({ label, spend, primary = false }: SpendButtonProps) {
  const why = useId()
  const { held, price, caution, snapshot } = useRead(spend.press)
  const blocked = spend.busy || held !== undefined
  const isPrimary = primary && snapshot !== undefined && isInviting(snapshot)
  return (
    <div className="spend">
      <button
        type="button"
        data-kind={isPrimary ? 'primary' : undefined}
        aria-disabled={blocked}
        aria-busy={spend.busy}
        aria-describedby={why}
        onClick={() => !blocked && spend.run()}
      >
        <Label
          name={label}
          cost={priceWords(price, caution, snapshot?.month)}
          heldMs={held?.endsInMs}
          isBusy={spend.busy}
        />
      </button>
      <Why id={why} held={held} caution={caution} spend={spend} />
    </div>
  )
}

interface LabelProps {
  name: string
  cost: string
  heldMs: number | undefined
  isBusy: boolean
}

function Label({ name, cost, heldMs, isBusy }: LabelProps) {
  const { press: t } = words()
  const isHeld = heldMs !== undefined && !isBusy
  return (
    <>
      {isBusy ? t.busy : name}
      <span className="price">{t.price(isHeld ? t.heldFor(countdownWords(heldMs)) : cost)}</span>
    </>
  )
}

interface WhyProps {
  id: string
  held: Wait | undefined
  caution: Caution
  spend: Paid
}

/** Shows what the press did. Screen readers also hear what holds it back, which the verdict shows. */
function Why({ id, held, caution, spend: { problem, isUnsent, answer } }: WhyProps) {
  const t = words().press
  const facts = useQuota(({ snapshot }) => snapshot)
  const early = wasRefusedEarly(answer) ? t.refusedEarly(spentWords(answer, facts)) : ''
  const seen = isUnsent ? t.offline : early
  const warning = cautionWords(caution)
  const refused = problem?.status === 429 && warning !== '' ? t.lastRefused : ''
  return (
    <p className={seen === '' ? 'unseen' : 'quiet'} id={id}>
      {seen || (held ? heldWords(held) : sentences(warning, refused))}
    </p>
  )
}

/** Only a token that was refused early makes a second read. */
const wasRefusedEarly = (answer: ReceivedAnswer | undefined): answer is ReceivedAnswer =>
  answer !== undefined && answer.spent > 1

const heldWords = ({ endsInMs, reasons }: Wait): string =>
  sentences(words().press.possibleIn(countdownWords(endsInMs)), ...reasons.map(reasonWords))

/** The limit and the price of a press now. */
function useRead(press: Press): {
  held: Wait | undefined
  price: Price
  caution: Caution
  snapshot: QuotaSnapshot | undefined
} {
  const quota = useQuota()
  const isByKey = useSession()?.method === 'api_key'
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  if (quota === undefined) {
    const price = priceOf(press, isByKey ? {} : UNKNOWN)
    return { held: undefined, price, caution: 'plain', snapshot: undefined }
  }
  const { snapshot } = quota
  const price = priceOf(press, snapshot, elapsedMs)
  const caution = cautionOf(snapshot, price, elapsedMs)
  return { held: pauseOf(snapshot, elapsedMs), price, caution, snapshot }
}

/** Before the first snapshot a refresh may be due. */
const UNKNOWN: PriceFacts = { refresh: { due_in_ms: 0, counts: 'unknown' } }

/** Says why the last press failed, unless the button and the verdict show what holds a press back. */
export function SpendNotice({ spend, again }: { spend: Paid; again: string }) {
  const { problem, isUnsent, run, press, pressedAtMs } = spend
  const { held, price, caution, snapshot } = useRead(press)
  const sinceMs = useElapsed(pressedAtMs)
  if (!problem || isUnsent) return null
  // When its pause ends, the button is back, and a notice would come without a press.
  if (problem.status === 429 && (held || isPast(problem, snapshot, sinceMs))) return null
  const { press: t } = words()
  const label = again + t.price(priceWords(price, caution, snapshot?.month))
  const signIn = { label: words().sessionEnding.again, run: () => navigate(PATHS.organizations) }
  return <Notice problem={problem} actions={{ again: { label, run }, sign_in: signIn }} />
}

const isPast = ({ code, retryInMs = Infinity }: Problem, now: QuotaSnapshot | undefined, sinceMs: number) =>
  code === 'month_suspected' ? now?.month.suspected === undefined : sinceMs >= retryInMs

/**
 * After the label of a button: "uses 1–2 of 55"; "uses 1 request" where nothing is known to take it from;
 * "up to 2 requests, may be refused".
 */
export function priceWords(price: Price, caution: Caution, month: MonthSnapshot | undefined): string {
  const { press: t } = words()
  const { requests } = text().app
  if (caution === 'risky') return t.risky(requests(price.high, price.high))
  if (month?.limit === undefined || month.may_have_reset) return t.uses(requests(price.low, price.high))
  const left = leftOf(month, month.limit)
  return t.uses(
    month.organization
      ? t.of(rangeText(price), rangeText(left))
      : t.ofAtMost(rangeText(price), numberText(left.high)),
  )
}

/** Empty if there is nothing to warn of. */
export const cautionWords = (caution: Caution): string =>
  caution === 'plain' ? '' : words().press.caution[caution]

/** What an answer cost, by what is known now. @param facts absent without a snapshot */
export function spentWords({ spent: reads, refreshes }: ReceivedAnswer, facts: PriceFacts = {}): string {
  const { low, high } = spentOf({ reads, refreshes }, facts)
  return text().app.requests(low, high)
}
