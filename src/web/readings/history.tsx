import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
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

/** Lists the counts of this month. It asks for them each time it opens, since others enter some too. */
export function ReadingHistory({ session, remove }: ReadingHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...readingsQuery(session), enabled: false })
  const toggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }): void => {
    setOpen(currentTarget.open)
    if (currentTarget.open) void refetch({ cancelRefetch: false })
  }
  return (
    <details className={styles.more} onToggle={toggle}>
      <summary>{words().readings.more}</summary>
      {isOpen && error && !isFetching && <Notice problem={error} again={() => void refetch()} />}
      {isOpen && data && <List readings={data} remove={remove} />}
    </details>
  )
}

function List({ readings, remove }: Pick<ReadingHistoryProps, 'remove'> & { readings: readonly Reading[] }) {
  const t = words().readings
  if (readings.length === 0) return <p className="quiet">{t.none}</p>
  return (
    <ul className="rows" aria-label={t.list}>
      {readings.map((reading) => (
        <li key={reading.id} className="apart">
          <span>
            <strong>{reading.count}</strong>{' '}
            <span className="quiet">
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
