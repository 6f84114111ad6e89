import type { ReactNode } from 'react'
import { dateText } from '../text/language.ts'
import { planNamed, summaryOf } from '../record/organization-name.ts'
import type { Before } from '../record/queries.ts'
import type { Person, Summary } from '../record/summary.ts'
import { signedInText } from '../text/text.ts'
import data from '../components/data.module.css'
import styles from './organization.module.css'

const FACTS = ['plan', 'members', 'address', 'created'] as const
const MOST_PEOPLE = 6

/** What most readers look for. What differs from the answer before is marked. */
export function SummaryList({ answer, before }: { answer: { text: string }; before: Before | undefined }) {
  const { organization: t } = signedInText()
  const summary = summaryOf(answer)
  const facts = FACTS.filter((fact) => summary[fact] !== undefined)
  const former = before && summaryOf(before)
  if (facts.length === 0) return null
  return (
    <dl className={styles.summary}>
      {facts.map((fact) => (
        <div key={fact}>
          <dt>{t.labels[fact]}</dt>
          <dd>
            <FactValue fact={fact} of={summary} />
            {former && isChanged(fact, former, summary) && (
              <strong className={data.changed}>{t.changed}</strong>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isChanged = (fact: keyof Summary, before: Summary, now: Summary): boolean =>
  JSON.stringify(before[fact]) !== JSON.stringify(now[fact])

function FactValue({ fact, of }: { fact: (typeof FACTS)[number]; of: Summary }): ReactNode {
  const { plans } = signedInText().organization
  const { plan, members = [], address, created = '' } = of
  const named = planNamed(plan)
  if (fact === 'members') return <People of={members} />
  if (fact === 'created') return <time dateTime={created}>{dayOf(created)}</time>
  return <bdi>{fact === 'address' ? address : named ? plans[named] : plan}</bdi>
}

/** A day without a time stays the same day in every zone. */
const dayOf = (written: string): string =>
  dateText(Date.parse(written), {
    dateStyle: 'medium',
    ...(written.length === 'YYYY-MM-DD'.length && { timeZone: 'UTC' }),
  })

function People({ of: people }: { of: readonly Person[] }): ReactNode {
  const { organization: t } = signedInText()
  const more = people.length - MOST_PEOPLE
  return (
    <>
      {people.slice(0, MOST_PEOPLE).map(({ name, isAdministrator }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the list has no other key, and is drawn anew
        <span key={at}>
          {at > 0 && t.comma}
          <bdi>{isAdministrator ? t.administrator(name) : name}</bdi>
        </span>
      ))}
      {more > 0 && t.comma + t.moreMembers(more)}
    </>
  )
}
