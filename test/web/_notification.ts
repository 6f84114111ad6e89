// The only place that stands in for the notifications of a browser.
import { vi } from 'vitest'

export interface Shown {
  title: string
  options: NotificationOptions
}

/** Like a browser, shows one notification of a tag. @param answer the person's, to the browser's question */
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
      const same = shown.findIndex(({ options: { tag } }) => tag !== undefined && tag === options.tag)
      if (same >= 0) shown.splice(same, 1)
      shown.push({ title, options })
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
