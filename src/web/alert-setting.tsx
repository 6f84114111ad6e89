import { useState } from 'react'
import type { SignedIn } from '../contract/session.ts'
import { alertOf, THRESHOLDS } from './alert-levels.ts'
import { alertRecordOf, storeAlertRecord } from './alert-record.ts'
import { ownerOf, permissionNow } from './alerts.tsx'
import styles from './month.module.css'
import type { ReceivedQuota } from './ui.ts'

const LEVELS = `${THRESHOLDS.slice(0, -1).join(', ')} and ${THRESHOLDS.at(-1)} %`

const BLOCKED = 'The browser blocks notifications of this page; its settings can allow them.'

/** Turns notifications on and off in this browser; the browser's own question comes from the press. */
export function AlertSetting({ session, quota }: { session: SignedIn; quota: ReceivedQuota }) {
  const owner = ownerOf(session, quota)
  const [wanted, setWanted] = useState(alertRecordOf(owner) !== undefined)
  const [permission, setPermission] = useState(permissionNow)
  if (permission === undefined || quota.snapshot.month.limit === undefined) return null
  const isOn = wanted && permission === 'granted'
  const turnOn = async (): Promise<void> => {
    const answered = await Notification.requestPermission()
    setPermission(answered)
    if (answered !== 'granted') return
    const { record } = alertOf(quota.snapshot.month, quota.wallMs, undefined)
    setWanted(storeAlertRecord(owner, record))
  }
  const turnOff = (): void => {
    storeAlertRecord(owner, undefined)
    setWanted(false)
  }
  if (permission === 'denied') return <p className={styles.quiet}>{BLOCKED}</p>
  return (
    <p className={styles.quiet}>
      Notify me at {LEVELS}: {isOn ? 'on' : 'off'}
      <button type="button" data-kind="quiet" onClick={() => (isOn ? turnOff() : void turnOn())}>
        Turn {isOn ? 'off' : 'on'}
      </button>
    </p>
  )
}
