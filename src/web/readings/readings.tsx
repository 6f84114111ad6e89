import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Readings } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { readQuota } from '../quota/quota.ts'
import { ReadingForm } from './form.tsx'
import { ReadingHistory } from './history.tsx'
import styles from './readings.module.css'
import { readingsQuery } from './queries.ts'
import { signedInText, text } from '../text/text.ts'

/** Takes the service's own count of the month. Sends nothing to the service. */
export function ReadingsPanel({ session, close }: { session: SignedIn; close: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(readingsQuery(session))
  const [done, setDone] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const changed = async (sentence: string): Promise<void> => {
    await Promise.all([refetch(), readQuota()])
    setDone(sentence)
    heading.current?.focus()
  }
  const t = signedInText().readings
  return (
    <section className={styles.panel} aria-labelledby="readings" aria-busy={isFetching}>
      <div className={styles.top}>
        <h3 id="readings" tabIndex={-1} ref={heading}>
          {t.heading}
        </h3>
        <button type="button" data-kind="quiet" onClick={close}>
          {t.close}
        </button>
      </div>
      <output className={done === '' ? 'unseen' : styles.done}>{done}</output>
      {error && !isFetching && (
        <Notice
          problem={error}
          actions={{ again: { label: text().app.tryAgainFree, run: () => void refetch() } }}
        />
      )}
      {data && <ReadingsContent known={data} onChanged={changed} />}
    </section>
  )
}

interface ReadingsContentProps {
  known: Readings
  onChanged: (sentence: string) => Promise<void>
}

function ReadingsContent({ known: { plan_page: planPage, readings }, onChanged }: ReadingsContentProps) {
  const t = signedInText().readings
  return (
    <>
      <p>
        <a href={planPage} target="_blank" rel="noopener noreferrer">
          {t.planPage}
        </a>
      </p>
      <p>{t.lookFor}</p>
      <ReadingForm readings={readings} onSaved={onChanged} />
      <ReadingHistory readings={readings} onChanged={onChanged} />
    </>
  )
}
