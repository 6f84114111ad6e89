/** The state of the month outside the page: in its title, its icon and notifications. */
import { useEffect, useState } from 'react'
import { leftOf } from '../../contract/month-state.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { monthVerdict } from '../../contract/verdict.ts'
import { useUi } from '../lib/ui.ts'
import { type ReceivedQuota, useQuota } from '../quota/query.ts'
import { useOrganizationName } from '../organization/name.ts'
import { listText, numberText, rangeText, sentences } from '../text/format.ts'
import { words } from '../text/text.ts'
import { LEVELS, notify, settingOf, turn } from './notify.ts'

export function Alerts({ session }: { session: SignedIn }) {
  const quota = useQuota()
  const name = useOrganizationName(session)
  useEffect(() => {
    if (quota) void oneTabAtATime(() => notify(quota, ownerOf(session, quota), name))
  }, [quota, session, name])
  return <MonthMark />
}

/** If several tabs get a change at once, the first notifies. Without locks the tag merges notifications. */
async function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | null | undefined
  await (locks ? locks.request('plimsoll.alerts', work) : work())
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
