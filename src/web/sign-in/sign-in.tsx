import { organizationPath } from '../../contract/organization.ts'
import { GUIDE_PATH, placeOf } from '../../contract/page.ts'
import type { OtherSession, SignedOut } from '../../contract/session.ts'
import { Mark } from '../components/icons.tsx'
import { useIsOwn } from '../lib/ui.ts'
import { focused, followLink, usePathname, useTitle } from '../lib/router.ts'
import { arrival } from '../session/session.ts'
import { text } from '../text/text.ts'
import { type Entry, signInPrice, useEntry, currentAddress } from './entry.ts'
import { useSignInFailure } from './failure.tsx'
import { KeyForm, ORGANIZATION_FIELD, OrganizationForm } from './forms.tsx'
import { Known, Open } from './organizations.tsx'
import styles from './sign-in.module.css'

export function SignIn({ session }: { session: SignedOut }) {
  const { authorize, sandbox, ended, others = [] } = session
  const t = text().signIn
  const place = placeOf(usePathname())
  const entry = useEntry(authorize, (id) =>
    place.name === 'organization' && place.id !== id ? organizationPath(id) : currentAddress(),
  )
  const { before, title, notice } = useSignInFailure(entry, ended)
  // The notice says that it has ended.
  const isGone = ({ id }: OtherSession) => entry.way?.with === id && entry.problem?.code === 'signed_out'
  useTitle(title ?? t.title)
  const home = new URL(authorize.redirect_uri).origin
  const isOwn = useIsOwn()
  const initial = before?.organizationId ?? (place.name === 'organization' ? place.id : '')
  const price = signInPrice(session)
  return (
    <main id="main" className={styles.page}>
      <div className={styles.card}>
        <Top />
        {notice}
        <Open sessions={others.filter((one) => !isGone(one))} entry={entry} />
        {isOwn && !navigator.cookieEnabled && <p className={styles.done}>{t.noCookies}</p>}
        {!isOwn || home === location.origin ? (
          <>
            <Known sandbox={sandbox} entry={entry} price={price} />
            <OrganizationForm initial={initial} entry={entry} price={price} />
          </>
        ) : (
          <OtherAddress home={home} />
        )}
        <Rest entry={entry} />
      </div>
    </main>
  )
}

/** The heading gets the focus after a sign-out. */
function Top() {
  const isDone = arrival().ended === 'done'
  const t = text().signIn
  return (
    <>
      <p className={styles.mark}>
        <Mark size={64} />
      </p>
      <h1 ref={isDone ? focused : null} tabIndex={-1}>
        Plimsoll
      </h1>
      <p className={styles.lead}>{t.lead}</p>
      {isDone && <output className={styles.done}>{t.done}</output>}
    </>
  )
}

function Rest({ entry }: { entry: Entry }) {
  const t = text().signIn
  return (
    <>
      <details className={styles.other}>
        <summary>{t.key.summary}</summary>
        <KeyForm entry={entry} />
      </details>
      <p>
        <a href={GUIDE_PATH} onClick={followLink}>
          {t.guide}
        </a>
      </p>
    </>
  )
}

/** Leads to the redirect URI's address, where a sign-in begun elsewhere would end without its state. */
function OtherAddress({ home }: { home: string }) {
  const t = text().signIn.otherAddress
  return (
    <div className="card">
      <p>{t.words(home)}</p>
      <p>
        <a id={ORGANIZATION_FIELD} href={home + currentAddress()}>
          {t.go(home)}
        </a>
      </p>
    </div>
  )
}
