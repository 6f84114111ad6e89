import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { organizationPath } from '../../contract/organization.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Icon } from '../components/icons.tsx'
import { Menu, MenuLink } from './menu.tsx'
import styles from './menu.module.css'
import { useEntry } from '../sign-in/entry.ts'
import { UseButton } from '../sign-in/organizations.tsx'
import { useNames, useOrganizationName } from '../organization/name.ts'
import { isSameSession } from '../session/query.ts'
import { text, words } from '../text/text.ts'

/** Names the organization. If this browser is signed in to others, its name opens their list. */
export function OrganizationMenu({ session }: { session: SignedIn }) {
  const name = useOrganizationName(session)
  const nameOf = useNames()
  const entry = useEntry(session.authorize, organizationPath)
  const { problem } = entry
  const client = useQueryClient()
  useEffect(() => {
    // A session that has ended leaves the list.
    if (problem) void isSameSession(client, session)
  }, [problem, client, session])
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
            <UseButton session={other} entry={entry}>
              <bdi>{nameOf(other)}</bdi>
            </UseButton>
          </li>
        ))}
        <MenuLink to="organizations">{t.allOrganizations}</MenuLink>
      </ul>
    </Menu>
  )
}
