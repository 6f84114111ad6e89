import { useEffect } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import type { SignedIn } from '../../contract/session.ts'
import { alertOf, alertRecordOf, storeAlertRecord } from './levels.ts'
import { alertWords, titleMark } from './words.ts'
import { monthState } from '../../contract/month-state.ts'
import { useOrganizationName } from '../record/organization-name.ts'
import { useUi } from '../lib/ui.ts'
import { type ReceivedQuota, useQuota } from '../quota/query.ts'

const ICONS = { low: '/favicon-low.svg', none: '/favicon-none.svg', suspected: '/favicon-none.svg' } as const
const ICON = '/favicon.svg'

/** Shows the state of the month in the title, the icon and, if a person wants them, notifications. */
export function Alerts({ session }: { session: SignedIn }) {
  const quota = useQuota()
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
async function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | null | undefined
  if (locks) await locks.request('plimsoll.alerts', work)
  else await work()
}

async function notifyOf({ snapshot, wallMs }: ReceivedQuota, owner: string, name: string): Promise<void> {
  const before = alertRecordOf(owner)
  if (before === undefined || permissionNow() !== 'granted') return
  const { alert, record } = alertOf(snapshot.month, wallMs, before)
  if (!storeAlertRecord(owner, alert === undefined ? record : before) || alert === undefined) return
  const { title, body } = alertWords(alert, snapshot.month, wallMs)
  const isShown = await showNotification(`${title} · ${name}`, { body, tag: `${owner} ${alert}` })
  // The person may have turned them off in the meantime.
  if (isShown && alertRecordOf(owner) !== undefined) storeAlertRecord(owner, record)
}

/** The browser reports a notification within moments, or never. */
const REPORTED_WITHIN_MS = 10 * SECOND_MS

/** @returns true once the browser has shown it. Chrome on Android permits notifications, and then throws */
export const showNotification = (title: string, options: NotificationOptions): Promise<boolean> =>
  new Promise((resolve) => {
    try {
      const notification = new Notification(title, { icon: ICON, ...options })
      notification.addEventListener('show', () => resolve(true))
      notification.addEventListener('error', () => resolve(false))
      setTimeout(resolve, REPORTED_WITHIN_MS, false)
    } catch {
      resolve(false)
    }
  })
