import { type RefObject, useRef } from 'react'
import { type Reading, readingShows } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { useElapsed } from '../lib/clock.ts'
import { agoWords, sentences } from '../text/format.ts'
import { words } from '../text/text.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import { ReadingForm } from './form.tsx'
import { ReadingHistory, Undo } from './history.tsx'
import { useRemoving, useStoring } from './queries.ts'
import styles from './readings.module.css'

interface ReadingRowProps {
  session: SignedIn
  quota: ReceivedQuota
}

/** Takes the service's own count of the month. Sends nothing to the service. */
export function ReadingRow({ session, quota }: ReadingRowProps) {
  const age = useRef<HTMLParagraphElement>(null)
  const storing = useStoring(session)
  const removing = useRemoving(session, () => {
    storing.forget()
    // The pressed button is gone.
    age.current?.focus()
  })
  // What was done last is said alone.
  const forget = (): void => {
    storing.forget()
    removing.forget()
  }
  const run: typeof storing.run = (entry) => {
    removing.forget()
    storing.run(entry)
  }
  const { problem } = removing
  return (
    <div className={styles.row}>
      <ReadingForm
        session={session}
        storing={{ ...storing, run, forget }}
        isWanted={quota.snapshot.month.reading_wanted !== undefined}
      >
        <Age
          quota={quota}
          saved={storing.done?.result}
          removed={removing.done?.of}
          remove={removing.run}
          place={age}
        />
        <ReadingHistory session={session} remove={removing.run} />
      </ReadingForm>
      {problem && <Notice problem={problem} again={removing.again} />}
    </div>
  )
}

interface AgeProps {
  quota: ReceivedQuota
  saved: Reading | undefined
  removed: Reading | undefined
  remove: (reading: Reading) => void
  place: RefObject<HTMLParagraphElement | null>
}

/** What was just saved, with a way back; else the age of the newest count, and why another would help. */
function Age({ quota: { snapshot, atMs }, saved, removed, remove, place }: AgeProps) {
  const { organization, reading_wanted: wanted } = snapshot.month
  const { readings: t, month } = words()
  const ago = agoWords((organization?.reading_age_ms ?? 0) + useElapsed(atMs))
  const age = sentences(
    organization ? t.enteredAgo(ago) : '',
    wanted ? month.wanted[readingShows(wanted)] : '',
  )
  // One string: when the form is reset, the browser replaces the text of an output, and React would lose it.
  const done = saved ? t.saved(saved.count) : removed ? t.removed(removed.count) : ''
  return (
    <p className={styles.age} ref={place} tabIndex={-1}>
      <output>{done}</output>
      {done === '' && age}
      {saved && <Undo reading={saved} remove={remove} />}
    </p>
  )
}
