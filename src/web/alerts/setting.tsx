import { useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { alertOf, alertRecordOf, storeAlertRecord, LEVELS } from './levels.ts'
import { ownerOf, permissionNow, showNotification } from './alerts.tsx'
import { listText, numberText, sentences } from '../text/format.ts'
import { words } from '../text/text.ts'
import type { ReceivedQuota } from '../quota/query.ts'

/** The press makes the browser ask its own question, and then tries a notification. */
export function AlertSetting({ session, quota }: { session: SignedIn; quota: ReceivedQuota }) {
  const owner = ownerOf(session, quota)
  const [wanted, setWanted] = useState(alertRecordOf(owner) !== undefined)
  const [permission, setPermission] = useState(permissionNow)
  const [isUnable, setUnable] = useState(false)
  if (permission === undefined || quota.snapshot.month.limit === undefined) return null
  const t = words().alert.setting
  const isOn = wanted && permission === 'granted'
  const turnOn = async (): Promise<void> => {
    const answered = await Notification.requestPermission()
    setPermission(answered)
    if (answered !== 'granted') return
    if (!(await showNotification(t.tried, { body: t.whileOpen, silent: true }))) return setUnable(true)
    const { record } = alertOf(quota.snapshot.month, quota.wallMs, undefined)
    setWanted(storeAlertRecord(owner, record))
  }
  const turnOff = (): void => {
    storeAlertRecord(owner, undefined)
    setWanted(false)
  }
  if (permission === 'denied') return <p>{t.blocked}</p>
  if (isUnable)
    return (
      <p>
        <output>{t.unable}</output>
      </p>
    )
  return (
    <p>
      {sentences(isOn ? t.on(levelWords()) : t.off(levelWords()), t.whileOpen)}
      <button type="button" data-kind="quiet" onClick={() => (isOn ? turnOff() : void turnOn())}>
        {isOn ? t.turnOff : t.turnOn}
      </button>
    </p>
  )
}

const levelWords = (): string => listText(LEVELS.map(numberText))
