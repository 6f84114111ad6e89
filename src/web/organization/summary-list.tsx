import type { ReactNode } from 'react'
import { words } from '../text/text.ts'
import { planNamed, summaryOf } from './name.ts'
import type { Person, Summary } from './summary.ts'
import styles from './organization.module.css'
import { writtenDayWords } from '../text/format.ts'
import { List } from '../text/sentence.tsx'

const FACTS = ['plan', 'members', 'address', 'created'] as const
const MOST_PEOPLE = 6

/** Shows the few facts that most people look for. */
export function SummaryList({ answer }: { answer: { text: string } }) {
  const { organization: t } = words()
  const summary = summaryOf(answer)
  const facts = FACTS.filter((fact) => summary[fact] !== undefined)
  if (facts.length === 0) return null
  return (
    <dl className={styles.summary}>
      {facts.map((fact) => (
        <div key={fact}>
          <dt>{t.labels[fact]}</dt>
          <dd>
            <FactValue fact={fact} of={summary} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FactValue({ fact, of }: { fact: (typeof FACTS)[number]; of: Summary }): ReactNode {
  const { plans } = words().organization
  const { plan, members = [], address, created = '' } = of
  const named = planNamed(plan)
  if (fact === 'members') return <People of={members} />
  if (fact === 'created') return <time dateTime={created}>{writtenDayWords(created)}</time>
  return <bdi>{fact === 'address' ? address : named ? plans[named] : plan}</bdi>
}

function People({ of: people }: { of: readonly Person[] }): ReactNode {
  const { organization: t } = words()
  const shown = people.slice(0, MOST_PEOPLE)
  const more = people.length - shown.length
  return (
    <List length={shown.length + Math.sign(more)}>
      {(at) => {
        const person = shown[at]
        if (person === undefined) return t.moreMembers(more)
        return <bdi>{person.isAdministrator ? t.administrator(person.name) : person.name}</bdi>
      }}
    </List>
  )
}
