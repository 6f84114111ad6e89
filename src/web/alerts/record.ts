/** What this browser has notified of an organization, for all of its tabs. A record is there while a person wants notifications; a sign-out removes it. */
import { count, flag, listOf, members } from '../../contract/json.ts'
import type { AlertRecord } from './levels.ts'

const nameOf = (owner: string): string => `plimsoll.alerts.${owner}`
const readAlertRecord = members({ resetsAtMs: count, done: listOf(count), blocked: flag }, {})

/** @param owner the organization, or the key where its organization is not known */
export function alertRecordOf(owner: string): AlertRecord | undefined {
  try {
    return readAlertRecord(JSON.parse(localStorage.getItem(nameOf(owner)) ?? ''))
  } catch {
    // None, damaged, or a browser that forbids the storage.
    return undefined
  }
}

/** @param record absent: no notifications are wanted. @returns whether it is stored */
export function storeAlertRecord(owner: string, record: AlertRecord | undefined): boolean {
  try {
    if (record === undefined) localStorage.removeItem(nameOf(owner))
    else localStorage.setItem(nameOf(owner), JSON.stringify(record))
    return true
  } catch {
    return false
  }
}
