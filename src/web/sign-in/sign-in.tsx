import { useLayoutEffect, useRef } from 'react'
import type { SignedOut } from '../../contract/session.ts'
import { IdPicture } from './id-picture.tsx'
import { KEY_FIELD, KeyForm } from './key-form.tsx'
import { KnownOrganizations } from './known-organizations.tsx'
import { Mark } from '../components/icons.tsx'
import type { Reports } from './one-field.tsx'
import { OpenOrganizations } from './open-organizations.tsx'
import { ORGANIZATION_FIELD, OrganizationForm } from './organization-form.tsx'
import { currentAddress } from './return-to.ts'
import { GUIDE_PATH, placeOf } from '../../contract/page.ts'
import { useIsOwn } from '../lib/boot.ts'
import { followLink, usePathname, useTitle } from '../lib/router.ts'
import { useSignInFailure } from './failure.tsx'
import styles from './sign-in.module.css'
import { signInPrice } from './price.ts'
import { useStart } from './start.ts'
import { text } from '../text/text.ts'
import { arrival } from '../session/session.ts'

export function SignIn({ session }: { session: SignedOut }) {
  const { authorize, sandbox, ended, others } = session
  const t = text().signIn
  const { before, title, notice, reportFor } = useSignInFailure(ended)
  useTitle(title ?? t.title)
  const home = new URL(authorize.redirect_uri).origin
  const isOwn = useIsOwn()
  const place = placeOf(usePathname())
  const onProblem = reportFor(ORGANIZATION_FIELD)
  const form = { start: useStart(authorize, currentAddress), price: signInPrice(session), onProblem }
  return (
    <main id="main" className={styles.page}>
      <div className={styles.card}>
        <Top />
        {notice}
        <OpenOrganizations sessions={others} onProblem={onProblem} />
        {isOwn && !navigator.cookieEnabled && <p className={styles.done}>{t.noCookies}</p>}
        {!isOwn || home === location.origin ? (
          <>
            <KnownOrganizations sandbox={sandbox} {...form} />
            <OrganizationForm
              initial={before?.organizationId ?? (place.name === 'organization' ? place.id : '')}
              {...form}
            />
            <Where />
          </>
        ) : (
          <OtherAddress home={home} />
        )}
        <Rest onKeyProblem={reportFor(KEY_FIELD)} />
      </div>
    </main>
  )
}

/** The heading gets the focus after a sign-out. */
function Top() {
  const heading = useRef<HTMLHeadingElement>(null)
  const isDone = arrival().ended === 'done'
  const t = text().signIn
  useLayoutEffect(() => {
    if (isDone) heading.current?.focus()
  }, [isDone])
  return (
    <>
      <p className={styles.mark}>
        <Mark size={64} />
      </p>
      <h1 ref={heading} tabIndex={-1}>
        Plimsoll
      </h1>
      <p className={styles.lead}>{t.lead}</p>
      {isDone && <output className={styles.done}>{t.done}</output>}
    </>
  )
}

function Rest({ onKeyProblem }: { onKeyProblem: Reports['onProblem'] }) {
  const t = text().signIn
  return (
    <>
      <details className={styles.other}>
        <summary>{t.key.summary}</summary>
        <KeyForm onProblem={onKeyProblem} />
      </details>
      <p>
        <a href={GUIDE_PATH} onClick={followLink}>
          {t.guide}
        </a>
      </p>
    </>
  )
}

function Where() {
  const t = text().signIn.where
  return (
    <details className={styles.other}>
      <summary>{t.summary}</summary>
      <div className={styles.form}>
        <p>{t.words}</p>
        <IdPicture label={t.picture} />
        <p>{t.paste}</p>
      </div>
    </details>
  )
}

/** Leads to the redirect URI's address, where a sign-in begun elsewhere would end without its state. */
function OtherAddress({ home }: { home: string }) {
  const t = text().signIn.otherAddress
  return (
    <div className={styles.form}>
      <p>{t.words(home)}</p>
      <p>
        <a id={ORGANIZATION_FIELD} href={home + currentAddress()}>
          {t.go(home)}
        </a>
      </p>
    </div>
  )
}
