/** The state of the month outside the page: in its title, its icon and notifications. */
import { useEffect, useState } from 'react'
import { leftOf, isUsedUp, resetOf, usedOf } from '../../contract/month-state.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { monthVerdict } from '../../contract/verdict.ts'
import { useUi } from '../lib/ui.ts'
import { type ReceivedQuota, useQuota } from '../quota/query.ts'
import { useOrganizationName } from '../organization/summary.ts'
import { listText, numberText, rangeText, sentences } from '../text/format.ts'
import { words } from '../text/text.ts'
import { DAY_MS } from '../../contract/duration.ts'
import { countWords, resetWords } from '../quota/words.ts'

export function Alerts({ session }: { session: SignedIn }) {
  const quota = useQuota()
  const name = useOrganizationName(session)
  useEffect(() => {
    if (quota) notify(quota, ownerOf(session, quota), name)
  }, [quota, session, name])
  return <MonthMark />
}

/** While the month is low or used up, the title begins with it, and the icon shows it. */
export function MonthMark() {
  const quota = useQuota()
  const tone = quota && monthVerdict(quota.snapshot.month, quota.wallMs).tone
  const mark = quota && tone === 'low' ? lowMark(quota.snapshot.month) : ''
  const titleMark = tone === 'none' ? words().alert.mark.none : mark
  useEffect(() => {
    useUi.setState({ titleMark })
    return () => useUi.setState({ titleMark: '' })
  }, [titleMark])
  useEffect(() => {
    setIcon(tone === 'low' || tone === 'none' ? `/favicon-${tone}.svg` : '/favicon.svg')
    return () => setIcon('/favicon.svg')
  }, [tone])
  return null
}

function lowMark(month: MonthSnapshot): string {
  const t = words().alert.mark
  const left = leftOf(month, month.limit ?? 0)
  return month.organization ? t.left(rangeText(left)) : t.atMost(numberText(left.high))
}

const setIcon = (href: string): void => document.querySelector('link[rel="icon"]')?.setAttribute('href', href)

/** The organization, or the key if its organization is not known. */
const ownerOf = ({ organization_id: id }: SignedIn, { snapshot }: ReceivedQuota): string =>
  id ?? snapshot.token

export function AlertSetting({ session, quota }: { session: SignedIn; quota: ReceivedQuota }) {
  const owner = ownerOf(session, quota)
  const [setting, set] = useState(() => settingOf(owner))
  if (setting === undefined || quota.snapshot.month.limit === undefined) return null
  const t = words().alert.setting
  if (setting === 'blocked' || setting === 'unable')
    return (
      <p>
        <output>{t[setting]}</output>
      </p>
    )
  const press = async () => set(await turn(setting === 'off', owner, quota))
  return (
    <p>
      {sentences(t[setting](listText(LEVELS.map(numberText))), t.whileOpen)}
      <button type="button" data-kind="quiet" onClick={() => void press()}>
        {setting === 'on' ? t.turnOff : t.turnOn}
      </button>
    </p>
  )
}

/** In per cent of the month's limit. */
export const LEVELS = [50, 80, 95, 100] as const

/** @param owner the organization, or the key if that is unknown @returns `undefined` without notifications */
export function settingOf(owner: string): 'on' | 'off' | 'blocked' | 'unable' | undefined {
  const { permission } = (globalThis.Notification as typeof Notification | undefined) ?? {}
  if (permission === 'denied') return 'blocked'
  return permission && (permission === 'granted' && recordOf(owner) !== undefined ? 'on' : 'off')
}

/** Asks for permission and shows a notification as a trial. Levels that are reached by then bring none. */
export async function turn(on: boolean, owner: string, { snapshot: { month }, wallMs }: ReceivedQuota) {
  const { tried, whileOpen } = words().alert.setting
  if (!on) recordOf(owner, null)
  else if ((await Notification.requestPermission()) === 'granted') {
    if (!show(tried, { body: whileOpen, silent: true })) return 'unable'
    recordOf(owner, [monthOf(month, wallMs), ...reachedBy(month)].join(' '))
  }
  return settingOf(owner)
}

export function notify({ snapshot: { month }, wallMs }: ReceivedQuota, owner: string, name: string): void {
  const [before, ...levels] = recordOf(owner)?.split(' ') ?? []
  if (before === undefined || settingOf(owner) !== 'on' || month.may_have_reset) return
  const current = monthOf(month, wallMs)
  const [done, reached] = [before === current ? levels.map(Number) : [], reachedBy(month)]
  const level = reached.findLast((one) => !done.includes(one))
  if (level === undefined) return
  const { used, none, reset } = words().alert
  const isShown = show(`${level === 100 ? none : used(numberText(level))} · ${name}`, {
    body: level === 100 ? reset(resetWords(month, wallMs)) : countWords(month),
    // If several tabs get a change at once, the browser shows one.
    tag: `${owner} ${level}`,
  })
  if (isShown) recordOf(owner, [current, ...new Set([...done, ...reached])].join(' '))
}

/** Requests that may count reach a level, except the last: that needs surely counted ones, or a refusal. */
const reachedBy = (month: MonthSnapshot): number[] =>
  LEVELS.filter((level) =>
    level === 100 ? isUsedUp(month) : usedOf(month).high >= ((month.limit ?? Infinity) * level) / 100,
  )

/** As `2026-11`, in whichever zone it is reset. */
const monthOf = (month: MonthSnapshot, atMs: number) =>
  new Date(resetOf(month, atMs) - 15 * DAY_MS).toISOString().slice(0, 7)

/** The month and its levels that were reached, as `2026-11 50 80`; while a person wants notifications. */
function recordOf(owner: string, changed?: string | null): string | undefined {
  const key = `plimsoll.alerts.${owner}`
  try {
    if (changed === null) localStorage.removeItem(key)
    else if (changed) localStorage.setItem(key, changed)
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** @returns false if the browser cannot: Chrome on Android permits notifications, and then throws */
function show(title: string, options: NotificationOptions): boolean {
  try {
    return Boolean(new Notification(title, { icon: '/favicon.svg', ...options }))
  } catch {
    return false
  }
}
