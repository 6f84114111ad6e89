import { lazy, Suspense, useEffect, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import type { Before } from '../record/queries.ts'
import { text, words } from '../text/text.ts'
import data from '../components/data.module.css'
import { loadView } from './load-record.ts'
import styles from './organization.module.css'

const JsonView = lazy(() => loadView().then(({ JsonView }) => ({ default: JsonView })))

interface AllFieldsProps {
  answer: ReceivedAnswer
  before: Before | undefined
  session: SignedIn
}

/** Drawn when it is opened for the first time. */
export function AllFields({ answer, before, session }: AllFieldsProps) {
  const [wasOpen, setWasOpen] = useState(false)
  // Loaded when the summary is on the page, so that it opens at once.
  useEffect(() => void loadView().catch(() => {}), [])
  return (
    <details className={styles.all} onToggle={({ currentTarget }) => currentTarget.open && setWasOpen(true)}>
      <summary>{words().organization.allFields}</summary>
      {wasOpen && (
        <Suspense fallback={<p className={data.quiet}>{text().app.loadingPage}</p>}>
          <JsonView
            answer={answer}
            before={before}
            file={`organization-${session.organization_id ?? 'of-key'}.json`}
          />
        </Suspense>
      )}
    </details>
  )
}
