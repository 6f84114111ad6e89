import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import app from '../components/app.module.css'
import data from '../components/data.module.css'
import { Header } from './header.tsx'
import { Notice } from '../components/notice.tsx'
import { followLink, useTitle } from '../lib/router.ts'
import { words } from '../text/text.ts'

interface SidePageProps {
  session: SignedIn
  title: string
  /** Shown below the title. */
  lead: ReactNode
  /** Shown beside the title. */
  beside?: ReactNode
  busy: boolean
  /** Says what a press has done; absent on a page with its own live region. */
  done?: string | undefined
  problem: Problem | null | undefined
  onAgain: () => void
  heading: RefObject<HTMLHeadingElement | null>
  /** The cards of the page. */
  children: ReactNode
  /** Cards that are regions of their own. */
  below?: ReactNode
}

/** The heading gets the focus when the page opens, and nothing on it costs a request. */
export function SidePage(props: SidePageProps) {
  const { session, title, lead, beside, busy, done, problem, onAgain, heading, children, below } = props
  const headingId = useId()
  const t = words().sidePage
  useTitle(title)
  const isOpened = useRef(false)
  // Before the paint, so the focus never appears elsewhere. Once: React repeats the effects of what it hides.
  useLayoutEffect(() => {
    if (!isOpened.current) heading.current?.focus()
    isOpened.current = true
  }, [heading])
  return (
    <>
      <Header session={session} />
      <main id="main" className={app.main}>
        <section className={data.side} aria-labelledby={headingId} aria-busy={busy}>
          <div className={data.top}>
            <div className={data.lead}>
              <h1 id={headingId} tabIndex={-1} ref={heading}>
                {title}
              </h1>
              {lead}
            </div>
            {beside}
          </div>
          {done !== undefined && <output className={done === '' ? 'unseen' : data.quiet}>{done}</output>}
          {problem && <Notice problem={problem} again={onAgain} />}
          {children}
        </section>
        {below}
        <p>
          <a href="/" onClick={followLink}>
            {t.back}
          </a>
        </p>
      </main>
    </>
  )
}

export const useHeading = () => useRef<HTMLHeadingElement>(null)
