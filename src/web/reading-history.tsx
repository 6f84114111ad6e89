import { useState } from 'react'
import { asProblem, type Problem } from '../contract/problem.ts'
import type { Reading } from '../contract/readings.ts'
import { Notice } from './notice.tsx'
import styles from './readings.module.css'
import { deleteReading } from './readings-data.ts'
import { dateWords } from './time.ts'

interface ReadingHistoryProps {
  readings: readonly Reading[]
  onChanged: (sentence: string) => Promise<void>
}

/** The readings of this month, each with a button that removes it. */
export function ReadingHistory({ readings, onChanged }: ReadingHistoryProps) {
  const [problem, setProblem] = useState<Problem>()
  const undo = async ({ id, count }: Reading): Promise<void> => {
    setProblem(undefined)
    try {
      await deleteReading(id)
      await onChanged(`The reading of ${count} is removed.`)
    } catch (error) {
      setProblem(asProblem(error))
    }
  }
  if (readings.length === 0) return <p className={styles.quiet}>No reading of this month yet.</p>
  return (
    <>
      {problem && <Notice problem={problem} />}
      <ul className={styles.history} aria-label="Readings of this month">
        {readings.map((reading) => (
          <li key={reading.id}>
            <span>
              <strong>{reading.count}</strong>{' '}
              <span className={styles.quiet}>
                read <time dateTime={reading.read_at}>{dateWords(Date.parse(reading.read_at))}</time>{' '}
                {BY[reading.by]}
              </span>
            </span>
            <button
              type="button"
              data-kind="quiet"
              aria-label={`Undo the reading of ${reading.count}`}
              onClick={() => void undo(reading)}
            >
              Undo
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

const BY: Record<Reading['by'], string> = { you: 'by you', another: 'by another person or browser' }
