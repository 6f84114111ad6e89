import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Finding } from '../contract/evidence.ts'
import type { SignedIn } from '../contract/session.ts'
import data from './data.module.css'
import { type FreeWork, useFreeWork } from './free-work.ts'
import { confirmFinding, evidenceQuery, forgetFinding } from './learnt-data.ts'
import { findingState, QUESTIONS, STATE_WORDS, valueWords } from './learnt-words.ts'
import styles from './learnt.module.css'
import { SidePage, useHeading } from './side-page.tsx'
import { dateWords } from './time.ts'

export function Learnt({ session }: { session: SignedIn }) {
  const { data: findings, error, isFetching, refetch } = useQuery(evidenceQuery(session))
  const heading = useHeading()
  // The button that was pressed may be gone then.
  const work = useFreeWork(async () => {
    await refetch()
    heading.current?.focus()
  })
  return (
    <SidePage
      session={session}
      title="What we learnt about the service"
      heading={heading}
      busy={isFetching || work.busy}
      done={work.done}
      problem={work.problem ?? (isFetching ? undefined : error)}
      onAgain={() => void refetch()}
      lead={
        <>
          <p>
            The service’s document leaves these questions open. Answers that came anyway, and readings of its
            own count, answer some of them: nothing is ever sent to find out.
          </p>
          <p className={data.quiet}>It holds for everybody who uses this service through Plimsoll here.</p>
        </>
      }
    >
      {!findings && isFetching && <p className={data.quiet}>Reading what was learnt, free…</p>}
      {findings && (
        <ul className={styles.list}>
          {findings.toSorted(foundFirst).map((finding) => (
            <Row key={finding.name} finding={finding} work={work} />
          ))}
        </ul>
      )}
    </SidePage>
  )
}

const foundFirst = (a: Finding, b: Finding): number =>
  Number(b.value !== undefined) - Number(a.value !== undefined)

function Row({ finding, work }: { finding: Finding; work: FreeWork }) {
  const id = useId()
  const { name, value, assumed, observations } = finding
  const state = findingState(finding)
  const since = observations.at(-1)?.at
  return (
    <li className={styles.row} data-state={state}>
      <h2 id={id}>{QUESTIONS[name]}</h2>
      <dl>
        <div>
          <dt>Found</dt>
          <dd title={value}>
            {value !== undefined && (
              <>
                <strong>{valueWords(value)}</strong>:{' '}
              </>
            )}
            {STATE_WORDS[state]}
            {since !== undefined && (
              <>
                , since <time dateTime={since}>{dateWords(Date.parse(since))}</time>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Without it, assumed</dt>
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
      <summary>How it was found out</summary>
      <ul className={data.list}>
        {observations.map(({ at, words }) => (
          <li key={`${at} ${words}`}>
            <time dateTime={at}>{dateWords(Date.parse(at))}</time>: {words}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Buttons({ finding, work, describedBy }: { finding: Finding; work: FreeWork; describedBy: string }) {
  const { name, value, observations } = finding
  if (value === undefined && observations.length === 0) return null
  const button = { type: 'button', 'aria-describedby': describedBy, 'aria-disabled': work.busy } as const
  return (
    <div className={styles.buttons}>
      {value !== undefined && findingState(finding) === 'fits' && (
        <button
          {...button}
          onClick={() => void work.run(() => confirmFinding(name, value), 'Confirmed: it is in use.')}
        >
          Confirm · free
        </button>
      )}
      <button
        {...button}
        onClick={() => void work.run(() => forgetFinding(name), 'Forgotten: what is assumed is in use.')}
      >
        Forget · free
      </button>
    </div>
  )
}
