import { useId, useRef, useState } from 'react'
import type { OrganizationId } from '../../contract/organization.ts'
import type { EmbeddedSandbox } from '../../contract/session.ts'
import styles from './known-organizations.module.css'
import {
  forgetOrganization,
  forgetOrganizations,
  type LastOrganization,
  lastOrganizations,
} from '../session/last-organizations.ts'
import type { Reports } from './one-field.tsx'
import { OrganizationButton } from './organization-button.tsx'
import { ORGANIZATION_FIELD } from './organization-form.tsx'
import { Sentence } from '../text/sentence.tsx'
import { text } from '../text/text.ts'

interface Starts extends Reports {
  start: (id: OrganizationId) => Promise<void>
  /** The price of a sign-in, in words. */
  price: string
  /** Organizations that are not offered. */
  without?: readonly (OrganizationId | undefined)[]
}

/** From the embedded sandbox, or those that this browser was signed in to last. */
export function KnownOrganizations({ sandbox, ...rest }: Starts & { sandbox: EmbeddedSandbox | undefined }) {
  return sandbox ? <Sandbox sandbox={sandbox} {...rest} /> : <Last {...rest} />
}

function Sandbox({ sandbox, without, ...rest }: Starts & { sandbox: EmbeddedSandbox }) {
  const t = text().signIn.sandbox
  const heading = useId()
  const offered = sandbox.organizations.filter(({ id }) => !without?.includes(id))
  if (offered.length === 0) return null
  return (
    <section className={styles.sandbox} aria-labelledby={heading}>
      <h2 className={styles.ribbon} id={heading}>
        {t.ribbon}
      </h2>
      <p className={styles.words}>{t.words}</p>
      {offered.map((organization) => (
        <DirectButton key={organization.id} {...organization} {...rest} />
      ))}
      <p>
        <a href={sandbox.control_url}>{t.control}</a>
      </p>
    </section>
  )
}

function Last({ without, ...props }: Starts) {
  const t = text().signIn.last
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [organizations, setOrganizations] = useState(lastOrganizations)
  const change = (work: () => void): void => {
    work()
    setOrganizations(lastOrganizations())
    // The pressed button is gone.
    if (lastOrganizations().length > 0) heading.current?.focus()
    else document.getElementById(ORGANIZATION_FIELD)?.focus()
  }
  const offered = organizations.filter(({ id }) => !without?.includes(id))
  if (offered.length === 0) return null
  return (
    <section className={styles.last} aria-labelledby={headingId}>
      <h2 id={headingId} ref={heading} tabIndex={-1}>
        {t.heading}
      </h2>
      <ul>
        {offered.map((one) => (
          <li key={one.id}>
            <DirectButton {...one} {...props} />
            <RemoveButton {...one} onPress={() => change(() => forgetOrganization(one.id))} />
          </li>
        ))}
      </ul>
      <p className={styles.words}>
        {t.words}{' '}
        <button
          type="button"
          className={styles.all}
          data-kind="quiet"
          onClick={() => change(forgetOrganizations)}
        >
          {t.removeAll}
        </button>
      </p>
    </section>
  )
}

function RemoveButton({ id, name, onPress }: LastOrganization & { onPress: () => void }) {
  const { remove, removeWithoutName } = text().signIn.last
  const label = name === undefined ? removeWithoutName(id) : remove(name, id)
  return (
    <button type="button" className={styles.remove} data-kind="quiet" aria-label={label} onClick={onPress}>
      ×
    </button>
  )
}

/** Starts the sign-in at once. */
export function DirectButton({ id, name, start, price, onProblem }: Starts & LastOrganization) {
  const t = text().signIn
  const label =
    name === undefined ? (
      t.directWithoutName(id)
    ) : (
      <Sentence of={(slot) => t.direct(slot, id)}>
        <bdi>{name}</bdi>
      </Sentence>
    )
  return (
    <OrganizationButton busyLabel={t.organization.busy} open={() => start(id)} onProblem={onProblem}>
      {label}
      <span className={styles.price}>{price}</span>
    </OrganizationButton>
  )
}
