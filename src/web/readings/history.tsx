import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Reading } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { dateWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { readingsQuery } from './queries.ts'
import styles from './readings.module.css'

interface ReadingHistoryProps {
  session: SignedIn
  remove: (reading: Reading) => void
}

/** The counts of this month, asked for each time the part around them is opened: others enter some too. */
export function ReadingHistory({ session, remove }: ReadingHistoryProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // Asked each time the part opens, because others of the organization enter counts too.
  const { data, error, isFetching, refetch } = useQuery({ ...readingsQuery(session), enabled: false })
  useEffect(() => {
    const part = place.current?.closest('details')
    const follow = (): void => {
      const isNowOpen = part?.open ?? true
      setOpen(isNowOpen)
      if (isNowOpen) void refetch({ cancelRefetch: false })
    }
    follow()
    part?.addEventListener('toggle', follow)
    return () => part?.removeEventListener('toggle', follow)
  }, [refetch])
  return (
    <div ref={place}>
      {isOpen && error && !isFetching && <Notice problem={error} again={() => void refetch()} />}
      {isOpen && data && <List readings={data} remove={remove} />}
    </div>
  )
}

function List({ readings, remove }: Pick<ReadingHistoryProps, 'remove'> & { readings: readonly Reading[] }) {
  const t = words().readings
  if (readings.length === 0) return <p className={styles.quiet}>{t.none}</p>
  return (
    <ul className={styles.history} aria-label={t.list}>
      {readings.map((reading) => (
        <li key={reading.id}>
          <span>
            <strong>{reading.count}</strong>{' '}
            <span className={styles.quiet}>
              <time dateTime={reading.read_at}>{t.read(dateWords(Date.parse(reading.read_at)))}</time>{' '}
              {t.by[reading.by]}
            </span>
          </span>
          <Undo reading={reading} remove={remove} />
        </li>
      ))}
    </ul>
  )
}

export function Undo({ reading, remove }: { reading: Reading; remove: (reading: Reading) => void }) {
  const t = words().readings
  return (
    <button
      type="button"
      data-kind="quiet"
      aria-label={t.undoOf(reading.count)}
      onClick={() => remove(reading)}
    >
      {t.undo}
    </button>
  )
}
