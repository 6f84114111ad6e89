import type { ReactNode } from 'react'
import { type OrganizationId, readTypedOrganization } from '../../contract/organization.ts'
import { PLANS } from '../../contract/plan.ts'
import { Problem } from '../../contract/problem.ts'
import { OneField, type Reports } from './one-field.tsx'
import { text } from '../text/text.ts'

export const ORGANIZATION_FIELD = 'organization-id'

interface OrganizationFormProps extends Reports {
  initial: string
  start: (id: OrganizationId) => Promise<void>
  /** The price of a sign-in, in words. */
  price: string
}

export function OrganizationForm({ initial, start, price, onProblem }: OrganizationFormProps) {
  const t = text().signIn.organization
  const send = async (typed: string): Promise<void> => {
    const read = readTypedOrganization(typed)
    if ('fault' in read) throw new Problem('invalid_organization_id')
    await start(read.id)
  }
  return (
    <OneField
      label={t.label}
      input={{ id: ORGANIZATION_FIELD, inputMode: 'text', autoCapitalize: 'none' }}
      initial={initial}
      hint={hintFor}
      errorOf={errorOf}
      button={{ kind: 'primary', label: t.button(price), busy: t.busy }}
      send={send}
      note={t.price(price, PLANS.standard.per_month)}
      onProblem={onProblem}
    />
  )
}

/** The id in the typed text, as soon as there is one. */
function hintFor(typed: string): ReactNode {
  const read = readTypedOrganization(typed)
  const t = text().signIn.organization
  return 'fault' in read ? t.hint : <strong>{t.read(read.id)}</strong>
}

function errorOf(typed: string): string {
  const read = readTypedOrganization(typed)
  return 'fault' in read ? text().signIn.organization.faults[read.fault] : ''
}
