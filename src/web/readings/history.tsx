import { useState } from 'react'
import { asProblem, type Problem } from '../../contract/problem.ts'
import type { Reading } from '../../contract/readings.ts'
import { Notice } from '../components/notice.tsx'
import styles from './readings.module.css'
import { deleteReading } from './queries.ts'
import { signedInText } from '../text/text.ts'
import { dateWords } from '../lib/time.ts'

interface ReadingHistoryProps {
  readings: readonly Reading[]
  onChanged: (sentence: string) => Promise<void>
}

export function ReadingHistory({ readings, onChanged }: ReadingHistoryProps) {
  const [problem, setProblem] = useState<Problem>()
  const t = signedInText().readings
  const undo = async ({ id, count }: Reading): Promise<void> => {
    setProblem(undefined)
    try {
      await deleteReading(id)
      await onChanged(t.removed(count))
    } catch (error) {
      setProblem(asProblem(error))
    }
  }
  if (readings.length === 0) return <p className={styles.quiet}>{t.none}</p>
  return (
    <>
      {problem && <Notice problem={problem} />}
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
            <button
              type="button"
              data-kind="quiet"
              aria-label={t.undoOf(reading.count)}
              onClick={() => void undo(reading)}
            >
              {t.undo}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
