/** Notifications of the month: each level once a month, by one tab, while a person wants them. */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { isUsedUp, resetOf, usedOf } from '../../contract/month-state.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import { countWords, resetWords } from '../quota/words.ts'
import { numberText } from '../text/format.ts'
import { words } from '../text/text.ts'

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
    if (!(await show(tried, { body: whileOpen, silent: true }))) return 'unable'
    recordOf(owner, [monthOf(month, wallMs), ...reachedBy(month)].join(' '))
  }
  return settingOf(owner)
}

export async function notify({ snapshot: { month }, wallMs }: ReceivedQuota, owner: string, name: string) {
  const [before, ...levels] = recordOf(owner)?.split(' ') ?? []
  if (before === undefined || settingOf(owner) !== 'on' || month.may_have_reset) return
  const current = monthOf(month, wallMs)
  const [done, reached] = [before === current ? levels.map(Number) : [], reachedBy(month)]
  const level = reached.findLast((one) => !done.includes(one))
  if (level === undefined) return
  const { used, none, reset } = words().alert
  const isShown = await show(`${level === 100 ? none : used(numberText(level))} · ${name}`, {
    body: level === 100 ? reset(resetWords(month, wallMs)) : countWords(month),
    tag: `${owner} ${level}`,
  })
  // The person may have turned them off in the meantime.
  if (isShown && recordOf(owner)) recordOf(owner, [current, ...new Set([...done, ...reached])].join(' '))
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

/** @returns true once the browser has shown it. Chrome on Android permits notifications, and then throws */
const show = (title: string, options: NotificationOptions): Promise<boolean> =>
  new Promise((resolve) => {
    try {
      const notification = new Notification(title, { icon: '/favicon.svg', ...options })
      notification.addEventListener('show', () => resolve(true))
      notification.addEventListener('error', () => resolve(false))
      setTimeout(resolve, 10 * SECOND_MS, false)
    } catch {
      resolve(false)
    }
  })
