import { useEffect, useRef, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'

interface AnnounceProps {
  /** Absent until it is known. */
  state: string | number | undefined
  words: string
}

/** Reads the words out when the state has changed. */
export function Announce({ state, words }: AnnounceProps) {
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
