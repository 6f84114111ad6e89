import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { type MadeLink, MOST_LINKS, type WatchLink } from '../../contract/watch-links.ts'
import { dateWords, utcDayWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import data from '../components/data.module.css'
import { SidePage, useHeading } from '../layout/side-page.tsx'
import { browserWords } from '../lib/browser-words.ts'
import { type FreeWork, useFreeWork } from '../lib/free-work.ts'
import styles from '../sessions/sessions.module.css'
import { LinkForm } from './link-form.tsx'
import { MadeLinkCard } from './made-link.tsx'
import { linksQuery, withdrawLink } from './queries.ts'

export function Links({ session }: { session: SignedIn }) {
  const { data: links, error, isFetching, refetch } = useQuery(linksQuery(session))
  const [made, setMade] = useState<MadeLink>()
  const heading = useHeading()
  // The pressed button is gone by then.
  const withdrawing = useFreeWork(async () => {
    await refetch()
    heading.current?.focus()
  })
  const t = words().watch
  const onMade = (link: MadeLink): void => {
    setMade(link)
    void refetch()
  }
  return (
    <SidePage
      session={session}
      title={t.title}
      heading={heading}
      busy={isFetching || withdrawing.busy}
      done={withdrawing.done}
      problem={withdrawing.problem ?? (isFetching ? undefined : error)}
      onAgain={() => void refetch()}
      lead={
        <>
          <p>{t.lead}</p>
          <p className={data.quiet}>{t.most(MOST_LINKS)}</p>
        </>
      }
    >
      {made && <MadeLinkCard key={made.id} link={made} />}
      {links && links.length < MOST_LINKS && <LinkForm onMade={onMade} />}
      {links && links.length >= MOST_LINKS && <p className={data.card}>{t.full}</p>}
      {!links && isFetching && <p className={data.quiet}>{t.loading}</p>}
      {links && <LinkList links={links} withdrawing={withdrawing} />}
    </SidePage>
  )
}

function LinkList({ links, withdrawing }: { links: readonly WatchLink[]; withdrawing: FreeWork }) {
  if (links.length === 0) return <p className={data.quiet}>{words().watch.none}</p>
  return (
    <div className={data.card}>
      <ul className={styles.list}>
        {links.map((link) => (
          <LinkRow key={link.id} link={link} withdrawing={withdrawing} />
        ))}
      </ul>
    </div>
  )
}

function LinkRow({ link, withdrawing }: { link: WatchLink; withdrawing: FreeWork }) {
  const id = useId()
  const { name, ends_at, last_use: use } = link
  const t = words().watch
  const withdraw = (): void =>
    void withdrawing.run(
      () => withdrawLink(link.id),
      () => words().watch.withdrawn(name),
    )
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <p id={id} className={styles.browser}>
          <bdi>{name}</bdi>
        </p>
        <p className={`${data.quiet} ${styles.times}`}>
          <time dateTime={ends_at}>{t.ends(dateWords(Date.parse(ends_at)))}</time>
          <span>{use ? t.used(utcDayWords(use.day), browserWords(use.browser)) : t.unused}</span>
        </p>
      </div>
      <button type="button" aria-describedby={id} aria-disabled={withdrawing.busy} onClick={withdraw}>
        {t.withdraw}
      </button>
    </li>
  )
}
