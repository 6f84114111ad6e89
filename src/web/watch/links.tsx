import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { MOST_NAME_LENGTH, nameFault, trimmedName } from '../../contract/chosen-name.ts'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import {
  LINK_DAYS,
  type LinkRequest,
  type MadeLink,
  MOST_LINKS,
  type WatchLink,
} from '../../contract/watch-links.ts'
import { CopyField } from '../components/copy-field.tsx'
import { Field, type FieldErrors, Form, Submit, typedIn } from '../components/form.tsx'
import { type Free, useFree } from '../components/use-free.ts'
import { SidePage } from '../layout/side-page.tsx'
import { focused } from '../lib/router.ts'
import { browserWords } from '../lib/words.ts'
import { dateWords, utcDayWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { addLink, addressOf, commandOf, linksQuery, withdrawLink } from './queries.ts'

export function Links({ session }: { session: SignedIn }) {
  const query = linksQuery(session)
  const asked = useQuery(query)
  // Stays beside a later failure: the secret is shown this once.
  const [made, setMade] = useState<MadeLink>()
  const making = useFree(addLink, { changes: [query.queryKey], onDone: setMade })
  const withdrawing = useFree(withdrawLink, {
    changes: [query.queryKey],
    onDone: (_, { id }) => setMade((link) => (link?.id === id ? undefined : link)),
  })
  const { data: links } = asked
  const { done } = withdrawing
  const t = words().watch
  return (
    <SidePage
      session={session}
      title={t.title}
      lead={[t.lead, t.most(MOST_LINKS)]}
      asked={{ ...asked, loading: t.loading }}
      action={withdrawing}
      done={done ? t.withdrawn(done.of.name) : ''}
    >
      {made && <MadeLinkCard key={made.id} link={made} />}
      {links && (links.length < MOST_LINKS ? <LinkForm making={making} /> : <p className="card">{t.full}</p>)}
      {links && <LinkList links={links} withdrawing={withdrawing} />}
    </SidePage>
  )
}

type Withdrawing = Free<WatchLink, void>

function LinkList({ links, withdrawing }: { links: readonly WatchLink[]; withdrawing: Withdrawing }) {
  if (links.length === 0) return <p className="quiet">{words().watch.none}</p>
  return (
    <div className="card">
      <ul className="rows">
        {links.map((link) => (
          <LinkRow key={link.id} link={link} withdrawing={withdrawing} />
        ))}
      </ul>
    </div>
  )
}

function LinkRow({ link, withdrawing }: { link: WatchLink; withdrawing: Withdrawing }) {
  const id = useId()
  const { name, made_at, made_by, ends_at, last_use: use } = link
  const t = words().watch
  return (
    <li className="apart">
      <div className="what">
        <p id={id} className="row">
          <bdi>{name}</bdi>
        </p>
        <p className="quiet row">
          <time dateTime={made_at}>{t.made(dateWords(Date.parse(made_at)), browserWords(made_by))}</time>
          <time dateTime={ends_at}>{t.ends(dateWords(Date.parse(ends_at)))}</time>
          <span>{use ? t.used(utcDayWords(use.day), browserWords(use.browser)) : t.unused}</span>
        </p>
      </div>
      <Withdraw describedBy={id} busy={withdrawing.busy} withdraw={() => withdrawing.run(link)} />
    </li>
  )
}

interface WithdrawProps {
  describedBy: string
  busy: boolean
  withdraw: () => void
}

/** Asks first: a display in another room goes dark. */
function Withdraw({ describedBy, busy, withdraw }: WithdrawProps) {
  const [isAsking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const t = words().watch
  const press = { type: 'button', 'aria-describedby': describedBy, 'aria-disabled': busy } as const
  const keep = (): void => {
    setAsking(false)
    opener.current?.focus()
  }
  return (
    <div className="row">
      <button {...press} ref={opener} aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
        {t.withdraw}
      </button>
      {isAsking && (
        <>
          <button {...press} ref={focused} data-kind="primary" onClick={withdraw}>
            {t.surely}
          </button>
          <button type="button" onClick={keep}>
            {t.keep}
          </button>
        </>
      )}
    </div>
  )
}

/** The addresses of a new link. No later answer has them. */
function MadeLinkCard({ link: { id, name, secret } }: { link: MadeLink }) {
  const t = words().watch
  return (
    <div className="card" data-once="">
      <h2 ref={focused} tabIndex={-1}>
        {t.ready(name)}
      </h2>
      {(['', '?wall'] as const).map((query) => {
        const address = addressOf(id, secret, query)
        return (
          <CopyField key={query} label={query ? t.wall : t.address} value={address}>
            <a href={address} target="_blank" rel="noopener noreferrer">
              {t.open}
            </a>
          </CopyField>
        )
      })}
      <CopyField label={t.script} value={commandOf(secret)} />
    </div>
  )
}

const DAYS = [7, LINK_DAYS.usual, 90, LINK_DAYS.most] as const

function LinkForm({ making }: { making: Free<LinkRequest, MadeLink> }) {
  const t = words().watch
  return (
    <div className="card">
      <Form read={linkIn} action={making} refused={refusedFields} resets>
        <Field name="name" label={t.name} dir="auto" />
        <Field name="days" label={t.days} choices={DAYS} defaultValue={LINK_DAYS.usual} />
        <Submit>{t.make}</Submit>
      </Form>
    </div>
  )
}

function refusedFields({ fault }: Problem): FieldErrors | undefined {
  return fault === 'name_taken' ? { name: () => words().watch.faults.name_taken() } : undefined
}

function linkIn(typed: FormData) {
  const name = trimmedName(typedIn(typed, 'name'))
  const fault = name === '' ? 'name_missing' : nameFault(name)
  if (fault === undefined) return { value: { name, days: Number(typedIn(typed, 'days')) } }
  return { errors: { name: () => words().watch.faults[fault](MOST_NAME_LENGTH) } }
}
