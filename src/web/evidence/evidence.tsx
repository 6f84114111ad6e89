import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Finding } from '../../contract/evidence.ts'
import type { SignedIn } from '../../contract/session.ts'
import data from '../components/data.module.css'
import { type FreeWork, useFreeWork } from '../lib/free-work.ts'
import { confirmFinding, evidenceQuery, forgetFinding } from './queries.ts'
import { findingState, observationWords, valueWords } from './words.ts'
import styles from './evidence.module.css'
import { SidePage, useHeading } from '../layout/side-page.tsx'
import { sidePagesText } from '../text/text.ts'
import { dateWords } from '../lib/time.ts'

export function Learnt({ session }: { session: SignedIn }) {
  const { data: findings, error, isFetching, refetch } = useQuery(evidenceQuery(session))
  const heading = useHeading()
  // The pressed button may be gone by then.
  const work = useFreeWork(async () => {
    await refetch()
    heading.current?.focus()
  })
  const t = sidePagesText().learnt
  return (
    <SidePage
      session={session}
      title={t.title}
      heading={heading}
      busy={isFetching || work.busy}
      done={work.done}
      problem={work.problem ?? (isFetching ? undefined : error)}
      onAgain={() => void refetch()}
      lead={
        <>
          <p>{t.lead}</p>
          <p className={data.quiet}>{t.everybody}</p>
        </>
      }
    >
      {!findings && isFetching && <p className={data.quiet}>{t.loading}</p>}
      {findings && (
        <ul className={styles.list}>
          {findings.toSorted(foundFirst).map((finding) => (
            <FindingRow key={finding.name} finding={finding} work={work} />
          ))}
        </ul>
      )}
    </SidePage>
  )
}

const foundFirst = (a: Finding, b: Finding): number =>
  Number(b.value !== undefined) - Number(a.value !== undefined)

function FindingRow({ finding, work }: { finding: Finding; work: FreeWork }) {
  const id = useId()
  const { name, value, assumed, observations } = finding
  const state = findingState(finding)
  const since = observations.at(-1)?.at
  const t = sidePagesText().learnt
  return (
    <li className={styles.row} data-state={state}>
      <h2 id={id}>{t.questions[name]}</h2>
      <dl>
        <div>
          <dt>{t.found}</dt>
          <dd title={value}>
            {value !== undefined && (
              <>
                <strong>{valueWords(value)}</strong> ·{' '}
              </>
            )}
            {t.states[state]}
            {value !== undefined && since !== undefined && (
              <>
                {' '}
                · <time dateTime={since}>{t.since(dateWords(Date.parse(since)))}</time>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{t.assumed}</dt>
          <dd title={assumed}>{valueWords(assumed)}</dd>
        </div>
      </dl>
      <Observations finding={finding} />
      <Buttons finding={finding} work={work} describedBy={id} />
    </li>
  )
}

function Observations({ finding: { observations } }: { finding: Finding }) {
  if (observations.length === 0) return null
  return (
    <details>
      <summary>{sidePagesText().learnt.observations}</summary>
      <ul className={data.list}>
        {observations.map((one) => (
          <li key={`${one.at} ${one.code}`}>
            <time dateTime={one.at}>{dateWords(Date.parse(one.at))}</time>: {observationWords(one)}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Buttons({ finding, work, describedBy }: { finding: Finding; work: FreeWork; describedBy: string }) {
  const { name, value, observations } = finding
  if (value === undefined && observations.length === 0) return null
  const t = sidePagesText().learnt
  const button = { type: 'button', 'aria-describedby': describedBy, 'aria-disabled': work.busy } as const
  return (
    <div className={styles.buttons}>
      {value !== undefined && findingState(finding) === 'fits' && (
        <button {...button} onClick={() => void work.run(() => confirmFinding(name, value), t.confirmed)}>
          {t.confirm}
        </button>
      )}
      <button {...button} onClick={() => void work.run(() => forgetFinding(name), t.forgotten)}>
        {t.forget}
      </button>
    </div>
  )
}
