import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { PATHS, type SidePageName } from '../../contract/page.ts'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Header } from './header.tsx'
import { Notice } from '../components/notice.tsx'
import { type Free, useFree } from '../components/use-free.ts'
import { followLink, useTitle } from '../lib/router.ts'
import { words } from '../text/text.ts'

interface SidePageProps {
  session: SignedIn
  title: string
  /** Sentences below the title. */
  lead: readonly string[]
  /** Pages that belong to this one, with the words of the links. */
  links?: Partial<Record<SidePageName, string>>
  /** Shown beside the title. */
  beside?: ReactNode
  /** What the page lists, and its words until that is there. */
  asked?: {
    data: unknown
    error: Problem | null
    isFetching: boolean
    refetch: () => unknown
    loading: string
  }
  /** What a press on the page does. */
  action?: Pick<Free<never, unknown>, 'busy' | 'problem' | 'again'>
  /** Says what a press has done; absent on a page with its own live region. */
  done?: string | undefined
  /** The cards of the page. */
  children: ReactNode
  /** Cards that are regions of their own. */
  below?: ReactNode
}

/** The heading gets the focus when the page opens, and nothing on it costs a request. */
export function SidePage({ session, title, beside, children, below, ...props }: SidePageProps) {
  const { asked, action } = props
  const headingId = useId()
  useTitle(title)
  return (
    <>
      <Header session={session} />
      <main id="main" className="page">
        <section
          className="stack"
          aria-labelledby={headingId}
          aria-busy={asked?.isFetching === true || action?.busy === true}
        >
          <div className="apart">
            <Lead {...props} id={headingId} title={title} />
            {beside}
          </div>
          <Progress {...props} />
          {children}
        </section>
        {below}
        <p>
          <a href="/" onClick={followLink}>
            {words().sidePage.back}
          </a>
        </p>
      </main>
    </>
  )
}

type LeadProps = Pick<SidePageProps, 'title' | 'lead' | 'links'> & { id: string }

function Lead({ id, title, lead, links }: LeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isOpened = useRef(false)
  // Before the paint, so the focus never appears elsewhere. Once: React repeats the effects of what it hides.
  useLayoutEffect(() => {
    if (!isOpened.current) heading.current?.focus()
    isOpened.current = true
  }, [])
  return (
    <div className="stack tight">
      <h1 id={id} tabIndex={-1} ref={heading}>
        {title}
      </h1>
      {lead.map((sentence, nth) => (
        <p key={sentence} className={nth > 0 ? 'quiet' : undefined}>
          {sentence}
        </p>
      ))}
      {Object.entries(links ?? {}).map(([to, name]) => (
        <p key={to}>
          <a href={PATHS[to as SidePageName]} onClick={followLink}>
            {name}
          </a>
        </p>
      ))}
    </div>
  )
}

/** What a press has done, what has failed, and what is still to come. */
function Progress({ asked, action, done }: Pick<SidePageProps, 'asked' | 'action' | 'done'>) {
  const again = useFree(async () => void (await asked?.refetch()))
  return (
    <>
      {done !== undefined && <output className={done === '' ? 'unseen' : 'quiet'}>{done}</output>}
      {asked?.error && !again.busy && <Notice problem={asked.error} again={() => again.run()} />}
      {action?.problem && <Notice problem={action.problem} again={action.again} />}
      {asked?.isFetching && !asked.data && <p className="quiet">{asked.loading}</p>}
    </>
  )
}
