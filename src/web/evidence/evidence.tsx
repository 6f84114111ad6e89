import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Finding, FindingName, Evidence, Observation } from '../../contract/evidence.ts'
import type { SignedIn } from '../../contract/session.ts'
import { useFree } from '../components/use-free.ts'
import { SidePage } from '../layout/side-page.tsx'
import { dateWords, listText } from '../text/format.ts'
import { words } from '../text/text.ts'
import { BFF } from '../../contract/api.ts'
import { requestJson } from '../lib/api.ts'
import { listQuery } from '../lib/query.ts'

export function Learnt({ session }: { session: SignedIn }) {
  const query = evidenceQuery(session)
  const asked = useQuery(query)
  const change = useFree(changeFinding, { changes: [query.queryKey] })
  const { busy, done } = change
  const t = words().learnt
  return (
    <SidePage
      session={session}
      title={t.title}
      lead={[t.lead, t.everybody]}
      asked={{ ...asked, loading: t.loading }}
      action={change}
      done={done ? (done.of.value === undefined ? t.forgotten : t.confirmed) : ''}
    >
      {asked.data && <Findings findings={asked.data} busy={busy} change={change.run} />}
    </SidePage>
  )
}

interface Changes {
  busy: boolean
  change: (press: { name: FindingName; value?: string }) => void
}

const isKnown = ({ stated, value }: Finding): boolean => (stated ?? value) !== undefined

function Findings({ findings, ...changes }: Changes & { findings: readonly Finding[] }) {
  const t = words().learnt
  const known = findings.filter(isKnown)
  const open = findings.filter((one) => !isKnown(one))
  const rows = (some: readonly Finding[]) =>
    some.map((finding) => <FindingRow key={finding.name} finding={finding} {...changes} />)
  return (
    <div className="card">
      {known.length === 0 && <p>{t.nothing}</p>}
      <ul className="rows">
        {rows(known)}
        {open.length > 0 && (
          <li>
            <details>
              <summary>{t.open(open.length)}</summary>
              <ul className="rows">{rows(open)}</ul>
            </details>
          </li>
        )}
      </ul>
    </div>
  )
}

function FindingRow({ finding, ...changes }: Changes & { finding: Finding }) {
  const id = useId()
  const { name, stated, value, assumed, in_use } = finding
  const t = words().learnt
  return (
    <li className="stack tight">
      <h2 id={id}>{t.questions[name]}</h2>
      {stated !== undefined && (
        <p>
          {t.stated} <strong>{valueWords(stated)}</strong> <span className="quiet">· {t.byOperator}</span>
        </p>
      )}
      {value !== undefined && (
        <p title={value}>
          {t.found} <strong>{valueWords(value)}</strong> <State finding={finding} />
        </p>
      )}
      {!in_use && stated === undefined && (
        <p title={assumed}>
          {t.assumed} {valueWords(assumed)}
        </p>
      )}
      <Observations finding={finding} />
      <Buttons finding={finding} describedBy={id} {...changes} />
    </li>
  )
}

function State({ finding }: { finding: Finding }) {
  const since = finding.observations.at(-1)?.at
  const t = words().learnt
  return (
    <span className="quiet">
      · {t.states[findingState(finding)]}
      {since !== undefined && (
        <>
          {' '}
          · <time dateTime={since}>{t.since(dateWords(Date.parse(since)))}</time>
        </>
      )}
    </span>
  )
}

function Observations({ finding: { observations } }: { finding: Finding }) {
  if (observations.length === 0) return null
  return (
    <details>
      <summary>{words().learnt.observations}</summary>
      <ul className="points">
        {observations.map((one) => (
          <li key={`${one.at} ${one.code}`}>
            <time dateTime={one.at}>{dateWords(Date.parse(one.at))}</time>: {observationWords(one)}
          </li>
        ))}
      </ul>
    </details>
  )
}

type ButtonsProps = Changes & { finding: Finding; describedBy: string }

function Buttons({ finding, describedBy, busy, change }: ButtonsProps) {
  const { name, value, observations } = finding
  if (value === undefined && observations.length === 0) return null
  const t = words().learnt
  const button = { type: 'button', 'aria-describedby': describedBy, 'aria-disabled': busy } as const
  return (
    <div className="row">
      {value !== undefined && findingState(finding) === 'fits' && (
        <button {...button} onClick={() => change({ name, value })}>
          {t.confirm}
        </button>
      )}
      <button {...button} onClick={() => change({ name })}>
        {t.forget}
      </button>
    </div>
  )
}

export const evidenceQuery = (session: SignedIn) =>
  listQuery('evidence', session, BFF.evidence, ({ findings }: Evidence) => findings)

/** @param press.value is confirmed; without one, the finding is forgotten */
export async function changeFinding({ name, value }: { name: FindingName; value?: string }): Promise<void> {
  const options =
    value === undefined ? ({ method: 'DELETE' } as const) : ({ method: 'POST', body: { value } } as const)
  await requestJson(`${BFF.evidence}/${name}`, options)
}

export type FindingState = 'in_use' | 'fits' | 'open' | 'beside'

/** Of a finding with a value. */
export function findingState({ stated, in_use, confirmable }: Finding): FindingState {
  if (stated !== undefined) return 'beside'
  if (in_use) return 'in_use'
  return confirmable ? 'fits' : 'open'
}

const MOST_VALUES = 4

/** Names the first values and counts the others. Zones have the same names in every language. */
export function valueWords(value: string): string {
  const t = words().learnt
  const names: Record<string, string> = t.values
  const values = value.split(', ').map((one) => (Object.hasOwn(names, one) && names[one]) || one)
  const more = values.length - MOST_VALUES
  return listText(more <= 1 ? values : [...values.slice(0, MOST_VALUES), t.andMore(more)])
}

export function observationWords({ code, after = '', by = '' }: Observation): string {
  const t = words().learnt.observed
  if (code === 'month_reset') return t[code](dateWords(Date.parse(after)), dateWords(Date.parse(by)))
  return t[code]
}
