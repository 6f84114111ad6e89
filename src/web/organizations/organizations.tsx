import { useState } from 'react'
import { MOST_ORGANIZATIONS, type SignedIn } from '../../contract/session.ts'
import { SidePage } from '../layout/side-page.tsx'
import { type Further, FurtherNotice, useFurther } from '../organization/further.tsx'
import { useOrganizationName } from '../organization/summary.ts'
import { usePriceFacts } from '../quota/query.ts'
import { signInPrice } from '../sign-in/entry.ts'
import { failedSignIn } from '../sign-in/failure.tsx'
import { KeyForm, OrganizationForm } from '../sign-in/forms.tsx'
import { Known, UseButton, useSessionWords } from '../sign-in/organizations.tsx'
import { text, words } from '../text/text.ts'

/** Lists the organizations that this browser is signed in to, and adds another one. */
export function Organizations({ session }: { session: SignedIn }) {
  const entry = useFurther(session)
  const t = words().organizations
  return (
    <SidePage
      session={session}
      title={words().header.organizations}
      lead={[t.words, t.most(MOST_ORGANIZATIONS)]}
      action={{ ...entry, problem: null }}
      below={<FurtherCard session={session} entry={entry} />}
    >
      <div className="card">
        <ul className="stack tight offers">
          <li>
            <InUse session={session} />
          </li>
          {session.others?.map((other) => (
            <li key={other.id}>
              <UseButton session={other} entry={entry} />
            </li>
          ))}
        </ul>
      </div>
    </SidePage>
  )
}

function InUse({ session }: { session: SignedIn }) {
  const name = useOrganizationName(session)
  const id = session.organization_id
  const wordsOf = useSessionWords()
  return (
    <p className="row" aria-current="true">
      <bdi>{id === undefined ? name : wordsOf(session)}</bdi>{' '}
      <span className="tag">{words().organizations.inUse}</span>
    </p>
  )
}

/** It has the notice for a press in the list above as well. */
function FurtherCard({ session, entry }: { session: SignedIn; entry: Further }) {
  const { sandbox, others = [] } = session
  const [initial] = useState(() => failedSignIn()?.organizationId ?? '')
  const open = [session, ...others].map(({ organization_id: id }) => id)
  const price = signInPrice(usePriceFacts(session))
  return (
    <section className="card" aria-labelledby="further">
      <h2 id="further">{words().organizations.further}</h2>
      <FurtherNotice entry={entry} />
      <div className="stack offers">
        <Known sandbox={sandbox} without={open} entry={entry} price={price} />
        <OrganizationForm initial={initial} entry={entry} price={price} />
        <details>
          <summary>{text().signIn.key.summary}</summary>
          <KeyForm entry={entry} />
        </details>
      </div>
    </section>
  )
}
