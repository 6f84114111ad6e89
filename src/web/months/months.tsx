import { useQuery } from '@tanstack/react-query'
import type { MonthUse } from '../../contract/months.ts'
import type { SignedIn } from '../../contract/session.ts'
import data from '../components/data.module.css'
import { SidePage, useHeading } from '../layout/side-page.tsx'
import { words } from '../text/text.ts'
import { MonthList } from './list.tsx'
import { monthsQuery } from './queries.ts'
import { planSentences } from './words.ts'

export function MonthsBefore({ session }: { session: SignedIn }) {
  const { data: months, error, isFetching, refetch } = useQuery(monthsQuery(session))
  const t = words().months
  return (
    <SidePage
      session={session}
      title={t.title}
      heading={useHeading()}
      busy={isFetching}
      problem={isFetching ? undefined : error}
      onAgain={() => void refetch()}
      lead={<p>{t.lead}</p>}
      below={months && <MonthList months={months} />}
    >
      {!months && isFetching && <p className={data.quiet}>{t.loading}</p>}
      {months && <Plans months={months} />}
    </SidePage>
  )
}

function Plans({ months }: { months: readonly MonthUse[] }) {
  const t = words().months
  if (months.length === 1) return <p className={data.card}>{t.first}</p>
  return (
    <div className={data.card}>
      <h2>{t.plans}</h2>
      {planSentences(months).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className={data.quiet}>{t.known}</p>
    </div>
  )
}
