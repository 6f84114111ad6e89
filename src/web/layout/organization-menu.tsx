import { useState } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { OtherSession, SignedIn } from '../../contract/session.ts'
import { Icon } from '../components/line-icon.tsx'
import { Menu, MenuLink } from './menu.tsx'
import styles from './menu.module.css'
import { rememberedName } from '../session/last-organizations.ts'
import { UseButton } from '../sign-in/open-organizations.tsx'
import { useKnownName } from '../record/organization-name.ts'
import { signedInText, text } from '../text/text.ts'

/** This browser may have stored the name; the record comes later. */
function nameOf({ organization_id: id }: Pick<OtherSession, 'organization_id'>): string {
  const t = signedInText().organization
  return id === undefined ? t.ofKey : (rememberedName(id) ?? t.numbered(id))
}

/** Names the organization. If this browser is signed in to others, its name opens their list. */
export function OrganizationMenu({ session }: { session: SignedIn }) {
  const name = useKnownName(session) ?? nameOf(session)
  const [problem, setProblem] = useState<Problem>()
  const { others = [] } = session
  const { header: t } = signedInText()
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
            <UseButton session={other} onProblem={setProblem}>
              <bdi>{nameOf(other)}</bdi>
            </UseButton>
          </li>
        ))}
        <MenuLink to="organizations">{t.allOrganizations}</MenuLink>
      </ul>
    </Menu>
  )
}
