import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Icon } from '../components/line-icon.tsx'
import { Menu, MenuLink } from './menu.tsx'
import styles from './menu.module.css'
import { UseButton } from '../sign-in/open-organizations.tsx'
import { useNames, useOrganizationName } from '../record/organization-name.ts'
import { isSameSession } from '../session/query.ts'
import { text, words } from '../text/text.ts'

/** Names the organization. If this browser is signed in to others, its name opens their list. */
export function OrganizationMenu({ session }: { session: SignedIn }) {
  const name = useOrganizationName(session)
  const nameOf = useNames()
  const [problem, setProblem] = useState<Problem>()
  const client = useQueryClient()
  const onProblem = (problem: Problem | undefined): void => {
    setProblem(problem)
    // A session that has ended leaves the list.
    if (problem) void isSameSession(client, session)
  }
  const { others = [] } = session
  const { header: t } = words()
  const label = <bdi>{name}</bdi>
  if (others.length === 0) return <p className={styles.organizationName}>{label}</p>
  const button = (
    <>
      {label}
      <Icon of="down" />
    </>
  )
  return (
    <Menu id="organization" label={`${name}, ${t.organizations}`} button={button}>
      {problem && <p role="alert">{text().problem[problem.code].title}</p>}
      <ul>
        {others.map((other) => (
          <li key={other.id}>
            <UseButton session={other} onProblem={onProblem}>
              <bdi>{nameOf(other)}</bdi>
            </UseButton>
          </li>
        ))}
        <MenuLink to="organizations">{t.allOrganizations}</MenuLink>
      </ul>
    </Menu>
  )
}
