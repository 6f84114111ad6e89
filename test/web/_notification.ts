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
  class FakeNotification extends EventTarget {
    static permission = permission
    static requestPermission(): Promise<NotificationPermission> {
      asked += 1
      FakeNotification.permission = answer
      return Promise.resolve(answer)
    }
    constructor(title: string, options: NotificationOptions) {
      super()
      if (isShown) shown.push({ title, options })
      queueMicrotask(() => this.dispatchEvent(new Event(isShown ? 'show' : 'error')))
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
