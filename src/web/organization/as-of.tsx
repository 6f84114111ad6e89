import { useEffect, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { useElapsed } from '../lib/clock.ts'
import { agoWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { usePriceFacts } from '../quota/query.ts'
import { useKnownName } from '../record/organization-name.ts'
import type { Before } from '../record/queries.ts'
import { arrival } from '../session/session.ts'
import { sameSignInPrice } from '../sign-in/price.ts'
import { spentWords } from '../spend/price.ts'
import { loadChangeWords } from './load-record.ts'
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
  const isNamed = useKnownName(session) !== undefined
  const ago = agoWords(answer.ageMs + useElapsed(answer.atMs))
  return (
    <p className={styles.asOf}>
      <span>{id !== undefined && isNamed ? age.numbered(id, ago) : age.plain(ago)}</span>
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
  const isFresh = arrival().hasRead === true
  if (answer.spent > 0) return cost.spent(spentWords(answer, facts))
  return isFresh ? cost.signIn(sameSignInPrice(facts, session)) : cost.stored
}

/** Names what differs from the answer before. A line has room for some names; the tree marks all of them. */
function News({ answer, before }: Omit<AsOfProps, 'session'>) {
  const words = useChangeWords(answer, before)
  // A new element is announced, also if its words are those of the press before.
  return <output title={words}>{words !== undefined && <bdi key={before?.readAtMs}>{words}</bdi>}</output>
}

function useChangeWords(answer: ReceivedAnswer, before: Before | undefined): string | undefined {
  const [compare, setCompare] = useState<Awaited<ReturnType<typeof loadChangeWords>>>()
  const isNeeded = before !== undefined && compare === undefined
  useEffect(() => {
    // Without it the summary still marks what has changed.
    if (isNeeded) void loadChangeWords().then(setCompare, () => {})
  }, [isNeeded])
  return before && compare?.changeWords(before, answer)
}
