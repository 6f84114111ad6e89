import { lazy, Suspense, useEffect, useState } from 'react'
import type { ReceivedAnswer } from '../lib/api.ts'
import { text, words } from '../text/text.ts'
import data from '../components/data.module.css'
import { loadFields } from './load-record.ts'
import styles from './organization.module.css'

const Fields = lazy(() => loadFields().then(({ Fields }) => ({ default: Fields })))

/** Drawn when it is opened for the first time. */
export function AllFields({ answer }: { answer: ReceivedAnswer }) {
  const [wasOpen, setWasOpen] = useState(false)
  // Loaded when the summary is on the page, so that it opens at once.
  useEffect(() => void loadFields().catch(() => {}), [])
  return (
    <details className={styles.all} onToggle={({ currentTarget }) => currentTarget.open && setWasOpen(true)}>
      <summary>{words().organization.allFields}</summary>
      {wasOpen && (
        <Suspense fallback={<p className={data.quiet}>{text().app.loadingPage}</p>}>
          <Fields answer={answer} />
        </Suspense>
      )}
    </details>
  )
}
