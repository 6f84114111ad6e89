import { AlertSetting } from '../alerts/alerts.tsx'
import type { SignedIn } from '../../contract/session.ts'
import { Icon } from '../components/icons.tsx'
import { Menu, MenuLink } from './menu.tsx'
import { LanguageChoice, ThemeChoice } from '../preferences/choices.tsx'
import { useIsOwn } from '../lib/boot.ts'
import { useSignOut } from '../session/sign-out.tsx'
import { words } from '../text/text.ts'
import { useQuota } from '../quota/query.ts'

const LINKS = ['sessions', 'months', 'links', 'device'] as const

/** The service names no person (2.1, 4.4), so its button has an icon. */
export function AccountMenu({ session }: { session: SignedIn }) {
  const { organization_id: id, method, others = [] } = session
  const quota = useQuota()
  const isOwn = useIsOwn()
  const { header: t, organization } = words()
  return (
    <Menu id="account" label={t.account} button={<Icon of="person" />}>
      <p>
        {id !== undefined && <span>{organization.numbered(id)}</span>}
        {method === 'api_key' && <span>{t.byKey}</span>}
      </p>
      <nav aria-label={t.account}>
        <ul>
          {/* With several organizations, their own menu has this link. */}
          {[...LINKS, ...(others.length === 0 ? (['organizations'] as const) : [])].map((name) => (
            <MenuLink key={name} to={name}>
              {t[name]}
            </MenuLink>
          ))}
        </ul>
      </nav>
      <div>
        <LanguageChoice />
        <ThemeChoice />
      </div>
      {isOwn && quota && <AlertSetting session={session} quota={quota} />}
      <button type="button" onClick={useSignOut()}>
        {t.signOut}
      </button>
    </Menu>
  )
}
