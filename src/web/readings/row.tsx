import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { asProblem, type Problem } from '../../contract/problem.ts'
import type { Reading } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { useElapsed } from '../lib/clock.ts'
import { agoWords, sentences } from '../text/format.ts'
import { words } from '../text/text.ts'
import type { ReceivedQuota } from '../lib/ui.ts'
import { readQuota } from '../quota/quota.ts'
import { ReadingForm } from './form.tsx'
import { ReadingHistory } from './history.tsx'
import { deleteReading, readingsQuery } from './queries.ts'
import styles from './readings.module.css'
import { Undo } from './undo.tsx'

/** What was done last. */
interface Done {
  saved?: Reading
  removed?: Reading
  problem?: Problem
}

interface ReadingRowProps {
  session: SignedIn
  quota: ReceivedQuota
}

/** Takes the service's own count of the month. Sends nothing to the service. */
export function ReadingRow({ session, quota }: ReadingRowProps) {
  const client = useQueryClient()
  const [done, setDone] = useState<Done>({})
  const age = useRef<HTMLParagraphElement>(null)
  const changed = async (now: Done): Promise<void> => {
    await Promise.all([readQuota(), client.invalidateQueries({ queryKey: readingsQuery(session).queryKey })])
    setDone(now)
  }
  const remove = async (removed: Reading): Promise<void> => {
    try {
      await deleteReading(removed.id)
      await changed({ removed })
      // The pressed button is gone.
      age.current?.focus()
    } catch (error) {
      setDone((before) => ({ ...before, problem: asProblem(error) }))
    }
  }
  return (
    <div className={styles.row}>
      <ReadingForm
        planPage={session.plan_page}
        isWanted={quota.snapshot.month.reading_wanted !== undefined}
        onSaved={(saved) => changed({ saved })}
        age={<Age quota={quota} done={done} remove={remove} place={age} />}
        history={<ReadingHistory session={session} remove={remove} />}
      />
      {done.problem && <Notice problem={done.problem} />}
    </div>
  )
}

interface AgeProps {
  quota: ReceivedQuota
  done: Done
  remove: (reading: Reading) => Promise<void>
  place: RefObject<HTMLParagraphElement | null>
}

/** What was just saved, with a way back; else the age of the newest count, and why another would help. */
function Age({ quota: { snapshot, atMs }, done: { saved, removed }, remove, place }: AgeProps) {
  const { organization, reading_wanted: wanted } = snapshot.month
  const { readings: t, month } = words()
  const ago = agoWords((organization?.reading_age_ms ?? 0) + useElapsed(atMs))
  const age = sentences(organization ? t.enteredAgo(ago) : '', wanted ? month.wanted[wanted] : '')
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
