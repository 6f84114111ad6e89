import { useEffect, useRef, useState } from 'react'
import { verdictOf } from '../../contract/verdict.ts'
import { useElapsed } from '../lib/clock.ts'
import { verdictWords } from './verdict.tsx'
import { useQuota } from '../quota/query.ts'
import { words } from '../text/text.ts'

/** Tells a person who does not see the verdict when it turns bad, or good again. */
export function Announcer() {
  const quota = useQuota()
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  const verdict = quota && verdictOf(quota.snapshot, quota.wallMs, elapsedMs)
  const isBad = verdict && (verdict.tone === 'low' || verdict.tone === 'none')
  const state = verdict && (isBad ? verdict.key : '')
  const before = useRef(state)
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    if (before.current !== undefined && before.current !== state && verdict)
      setSentence(isBad ? verdictWords(verdict, false) : words().possible)
    before.current = state
    // oxlint-disable-next-line react/exhaustive-deps -- its numbers change each second
  }, [state])
  return <output className="unseen">{sentence}</output>
}
