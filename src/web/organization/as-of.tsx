import { useEffect, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { useElapsed } from '../lib/clock.ts'
import { late } from '../lib/late.ts'
import { usePriceFacts } from '../quota/query.ts'
import { arrival } from '../session/session.ts'
import { sameSignInPrice } from '../sign-in/entry.ts'
import { spentWords } from '../spend/price.ts'
import { agoWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { type Before, summaryOf } from './name.ts'
import styles from './organization.module.css'

interface AsOfProps {
  answer: ReceivedAnswer
  before: Before | undefined
  session: SignedIn
}

/** Says when the record was read, at which price, and what was new. It always has the same height. */
export function AsOf({ answer, before, session }: AsOfProps) {
  const { age } = words().organization
  const { organization_id: id } = session
  const ago = agoWords(answer.ageMs + useElapsed(answer.atMs))
  const isNamed = id !== undefined && summaryOf(answer).name !== undefined
  return (
    <p className={styles.asOf}>
      <span>{isNamed ? age.numbered(id, ago) : age.plain(ago)}</span>
      <span className={styles.news}>
        <span>{useCostWords(answer, session)}</span>
        <News answer={answer} before={before} />
      </span>
    </p>
  )
}

function useCostWords(answer: ReceivedAnswer, session: SignedIn): string {
  const { cost } = words().organization
  const facts = usePriceFacts(session)
  if (answer.spent > 0) return cost.spent(spentWords(answer, facts))
  return arrival().hasRead ? cost.signIn(sameSignInPrice(facts, session)) : cost.stored
}

const loadChanges = () => late(import('./changes.ts'))

/** Names what differs from the answer before. Without the late code the summary still marks it. */
function News({ answer, before }: Omit<AsOfProps, 'session'>) {
  const [changes, setChanges] = useState<Awaited<ReturnType<typeof loadChanges>>>()
  const isNeeded = before !== undefined && changes === undefined
  useEffect(() => {
    if (isNeeded) void loadChanges().then(setChanges, () => {})
  }, [isNeeded])
  const words = before && changes?.changeWords(before, answer)
  // A new element is announced, also if its words are those of the press before.
  return <output title={words}>{words !== undefined && <bdi key={before?.readAtMs}>{words}</bdi>}</output>
}
