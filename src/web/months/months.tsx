import { useQuery } from '@tanstack/react-query'
import { BFF } from '../../contract/api.ts'
import { type MonthUse, parseMonths } from '../../contract/months.ts'
import type { SignedIn } from '../../contract/session.ts'
import data from '../components/data.module.css'
import { SidePage } from '../layout/side-page.tsx'
import { listQuery } from '../lib/query.ts'
import { words } from '../text/text.ts'
import { MonthList } from './list.tsx'
import { planSentences } from './words.ts'

export function MonthsBefore({ session }: { session: SignedIn }) {
  const asked = useQuery(listQuery('months', session, BFF.months, (body) => parseMonths(body).months))
  const t = words().months
  return (
    <SidePage
      session={session}
      title={t.title}
      lead={[t.lead]}
      asked={{ ...asked, loading: t.loading }}
      below={asked.data && <MonthList months={asked.data} />}
    >
      {asked.data && <Plans months={asked.data} />}
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
