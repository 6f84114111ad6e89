import { useEffect } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { alertOf, alertRecordOf, storeAlertRecord } from './levels.ts'
import { alertWords, titleMark } from './words.ts'
import { monthState } from '../quota/month-state.ts'
import { useOrganizationName } from '../record/organization-name.ts'
import { type ReceivedQuota, useUi } from '../lib/ui.ts'

const ICONS = { low: '/favicon-low.svg', none: '/favicon-none.svg', suspected: '/favicon-none.svg' } as const
const ICON = '/favicon.svg'

/** Shows the state of the month in the title, the icon and, if a person wants them, notifications. */
export function Alerts({ session }: { session: SignedIn }) {
  const quota = useUi((ui) => ui.quota)
  const name = useOrganizationName(session)
  const month = quota?.snapshot.month
  const mark = month ? titleMark(month) : ''
  const state = month && monthState(month)
  const icon = state !== undefined && state in ICONS ? ICONS[state as keyof typeof ICONS] : ICON
  useEffect(() => {
    useUi.setState({ titleMark: mark })
    return () => useUi.setState({ titleMark: '' })
  }, [mark])
  useEffect(() => {
    setIcon(icon)
    return () => setIcon(ICON)
  }, [icon])
  useEffect(() => {
    if (quota) void oneTabAtATime(() => notifyOf(quota, ownerOf(session, quota), name))
  }, [quota, session, name])
  return null
}

function setIcon(href: string): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', href)
}

/** The organization, or the key if its organization is not known. */
export const ownerOf = ({ organization_id: id }: SignedIn, { snapshot }: ReceivedQuota): string =>
  id ?? snapshot.token

/** `undefined` if the browser has no notifications. */
export const permissionNow = (): NotificationPermission | undefined =>
  (globalThis.Notification as typeof Notification | undefined)?.permission

/** If several tabs get a change at once, the first notifies. Without locks the tag merges notifications. */
async function oneTabAtATime(work: () => void): Promise<void> {
  const locks = navigator.locks as LockManager | null | undefined
  if (locks) await locks.request('plimsoll.alerts', work)
  else work()
}

function notifyOf({ snapshot, wallMs }: ReceivedQuota, owner: string, name: string): void {
  const before = alertRecordOf(owner)
  if (before === undefined || permissionNow() !== 'granted') return
  const { alert, record } = alertOf(snapshot.month, wallMs, before)
  if (!storeAlertRecord(owner, record) || alert === undefined) return
  const { title, body } = alertWords(alert, snapshot.month, wallMs)
  try {
    // oxlint-disable-next-line no-new
    new Notification(`${title} · ${name}`, { body, tag: `${owner} ${alert}`, icon: ICON })
  } catch {
    // Some browsers show notifications only from a service worker.
  }
}
