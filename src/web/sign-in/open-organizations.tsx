import { type ReactNode, useId } from 'react'
import type { OtherSession } from '../../contract/session.ts'
import { postUse } from '../lib/api.ts'
import styles from './known-organizations.module.css'
import { rememberedName } from '../session/last-organizations.ts'
import type { Reports } from './one-field.tsx'
import { OrganizationButton } from './organization-button.tsx'
import { changeSession } from '../session/session.ts'
import { text } from '../text/text.ts'

/** The others that this browser is signed in to. One press opens one, for free. */
export function OpenOrganizations({
  sessions,
  ...reports
}: Reports & { sessions: readonly OtherSession[] | undefined }) {
  const heading = useId()
  if (sessions === undefined) return null
  return (
    <section className={styles.last} aria-labelledby={heading}>
      <h2 id={heading}>{text().open.heading}</h2>
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <UseButton session={session} {...reports} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export async function openOther({ id }: OtherSession): Promise<void> {
  await postUse(id)
  changeSession('/')
}

/** @param props.children in place of the usual words */
export function UseButton({ session, children, ...button }: UseButtonProps) {
  return (
    <OrganizationButton {...button} open={() => openOther(session)}>
      {children ?? text().open.use(sessionWords(session))}
    </OrganizationButton>
  )
}

interface UseButtonProps extends Reports {
  session: OtherSession
  primary?: boolean
  children?: ReactNode
}

/** With its name if this browser knows it. */
export function sessionWords({ organization_id: id }: Pick<OtherSession, 'organization_id'>): string {
  const t = text().open
  if (id === undefined) return t.ofKey
  const name = rememberedName(id)
  return name === undefined ? t.numbered(id) : t.named(name, id)
}
