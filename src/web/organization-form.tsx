import type { ReactNode } from 'react'
import { type OrganizationId, readOrganizationId } from '../contract/organization.ts'
import { OneField, type Reports } from './one-field.tsx'
import { placeOf, usePathname } from './router.ts'
import { text } from './text/text.ts'

export const ORGANIZATION_FIELD = 'organization-id'

interface Props extends Reports {
  /** Starts the sign-in for an organization. */
  start: (id: OrganizationId) => Promise<void>
}

export function OrganizationForm({ start, onProblem }: Props) {
  const place = placeOf(usePathname())
  const t = text().signIn.organization
  return (
    <OneField
      label={t.label}
      input={{ id: ORGANIZATION_FIELD, inputMode: 'text', autoCapitalize: 'none' }}
      initial={place.name === 'organization' ? place.id : ''}
      hint={hintFor}
      errorOf={errorOf}
      button={{ kind: 'primary', label: t.button, busy: t.busy }}
      send={(typed) => start(readOrganizationId(typed))}
      onProblem={onProblem}
    />
  )
}

function readTyped(typed: string): OrganizationId | undefined {
  try {
    return readOrganizationId(typed)
  } catch {
    return undefined
  }
}

function hintFor(typed: string): ReactNode {
  const id = readTyped(typed)
  const t = text().signIn.organization
  return id === undefined || id === typed ? t.hint : <strong>{t.read(id)}</strong>
}

function errorOf(typed: string): string {
  if (readTyped(typed) !== undefined) return ''
  const t = text().signIn.organization
  if (typed.trim() === '') return t.empty
  return /^https?:/i.test(typed.trim()) ? t.noIdInAddress : t.noId
}
