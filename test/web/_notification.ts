// The only place that stands in for the notifications of a browser.
import { vi } from 'vitest'

export interface Shown {
  title: string
  options: NotificationOptions
}

/** @param answer the person's answer to the browser's question */
export function stubNotification(
  permission: NotificationPermission,
  answer: NotificationPermission = permission,
): { shown: Shown[]; asked: () => number } {
  const shown: Shown[] = []
  let asked = 0
  class FakeNotification {
    static permission = permission
    static requestPermission(): Promise<NotificationPermission> {
      asked += 1
      FakeNotification.permission = answer
      return Promise.resolve(answer)
    }
    constructor(title: string, options: NotificationOptions) {
      shown.push({ title, options })
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
  return { shown, asked: () => asked }
}
