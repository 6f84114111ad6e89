import { useEffect, useRef, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'

/** Reads the words out when the state has changed. @param state absent until it is known */
export function Announce({ state, words }: { state: string | number | undefined; words: string }) {
  const before = useRef(state)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (before.current !== undefined && before.current !== state) setSaid(words)
    before.current = state
    // Later its numbers would be out of date.
    const timer = setTimeout(setSaid, 10 * SECOND_MS, '')
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- its numbers change each second
  }, [state])
  return <output className="unseen">{said}</output>
}
