/** The title of the page, and notifications. */
export const alert = {
  mark: {
    suspected: '■ probably used up',
    none: '■ none left',
    left: (count: string) => `▲ ${count} left`,
    atMost: (count: string) => `▲ at most ${count} left`,
  },
  available: 'Requests are possible again',
  suspected: 'The month is probably used up',
  none: 'No requests of the month are left',
  used: (percent: string) => `${percent} % of the month may be used`,
  refused: 'The service refused a request.',
  reset: (when: string) => `It is reset ${when}.`,
  setting: {
    on: (levels: string) => `Notify me at ${levels} %: on.`,
    off: (levels: string) => `Notify me at ${levels} %: off.`,
    levels: (levels: string, last: string) => `${levels} and ${last}`,
    comma: ', ',
    whileOpen: 'Notifications come only while a page is open.',
    tried: 'Notifications are on',
    unable: 'This browser cannot notify; title and icon will show it.',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    blocked: 'The browser blocks notifications of this page; its settings can allow them.',
  },
}
