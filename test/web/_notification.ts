// The only place that stands in for the notifications of a browser.
import { vi } from 'vitest'

export interface Shown {
  title: string
  options: NotificationOptions
}

/** @param answer the person's answer to the browser's question @param isShown false: the system shows none */
export function stubNotification(
  permission: NotificationPermission,
  answer: NotificationPermission = permission,
  isShown = true,
): { shown: Shown[]; asked: () => number } {
  const shown: Shown[] = []
  let asked = 0
  const report = (notification: Pick<Notification, 'onshow' | 'onerror'>): void => {
    if (isShown) notification.onshow?.call(notification as Notification, new Event('show'))
    else notification.onerror?.call(notification as Notification, new Event('error'))
  }
  class FakeNotification {
    static permission = permission
    static requestPermission(): Promise<NotificationPermission> {
      asked += 1
      FakeNotification.permission = answer
      return Promise.resolve(answer)
    }
    onshow: Notification['onshow'] = null
    onerror: Notification['onerror'] = null
    constructor(title: string, options: NotificationOptions) {
      if (isShown) shown.push({ title, options })
      queueMicrotask(() => report(this))
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
  return { shown, asked: () => asked }
}

/** As Chrome on Android: it grants the permission, and shows notifications only from a service worker. */
export function stubIllegalNotification(): void {
  class Illegal {
    static permission = 'granted'
    static requestPermission = () => Promise.resolve('granted')
    constructor() {
      throw new TypeError('Illegal constructor')
    }
  }
  vi.stubGlobal('Notification', Illegal)
}
