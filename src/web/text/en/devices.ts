import { plural } from './first.ts'

/** The words of a person’s sessions, and of opening one on another device. */
export const devices = {
  sessions: {
    title: 'Your sessions',
    whose: {
      oauth: 'Your sessions in this browser, and on devices that you connected with a code.',
      api_key: 'The sessions that were opened with your API key, in any browser.',
    },
    most: (count: number) => `Up to ${count} sessions; a new one replaces the oldest.`,
    device: 'Open on another device',
    links: 'Share what is left: watch links',
    loading: 'Loading your sessions…',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    anotherBrowser: 'Another browser',
    thisBrowser: 'This browser',
    name: {
      open: 'Name this browser',
      label: 'Name of this browser',
      hint: 'Your organization sees it in the ledger. Leave it empty to show the type of browser.',
      save: 'Save',
      cancel: 'Cancel',
      saved: (name: string) => `This browser is now called “${name}”.`,
      removed: 'This browser has no name of its own now.',
      faults: {
        name_too_long: (most: number) => `Use at most ${most} characters.`,
        name_has_hidden_characters: () => 'Use one line, without invisible characters.',
      },
    },
    byCode: 'opened by a code',
    opened: (date: string) => `Opened ${date}`,
    lastSeen: (date: string) => `Last seen ${date}`,
    signOutHere: 'Sign out here',
    end: 'End',
    ended: (browser: string) => `The session in ${browser} has ended.`,
    noOther: 'You have no other session.',
    endOthers: 'End all others',
    othersEnded: (count: number) => `${plural(count, 'other session')} ended.`,
  },
  pairing: {
    title: 'Open on another device',
    lead: 'Opens your session in another browser, such as on your phone. It costs no request.',
    careful: 'Do this only with a device of your own. Whoever opens it can do what you can.',
    show: 'Show a code',
    showAnother: 'Show another code',
    scan: 'Or scan this with its camera:',
    qr: 'QR code of the address with the code',
    code: 'Your code:',
    type: (address: string) => `Open ${address} on the other device and enter it there.`,
    onlyHere: (host: string) =>
      `A phone cannot open ${host}, which means this computer. Set PLIMSOLL_PUBLIC_URL to an address that the phone can reach, such as https://plimsoll.example.com.`,
    left: (time: string) => `Valid for ${time}. Works once.`,
    number: 'Number that the other device shows',
    numberHint: 'Two digits, once the code was entered there.',
    numberFault: 'Enter the two digits that the other device shows.',
    confirm: 'Open it there',
    notEntered: {
      title: 'The code was not entered yet',
      message: 'Enter it on the other device first. It then shows a number.',
    },
    differs: {
      title: 'The other device shows another number',
      message:
        'Nothing was opened, and the code is no longer valid. If you typed the number right, somebody else may have seen your code.',
    },
    over: {
      title: 'This code is no longer valid',
      message: 'A code is valid for two minutes and works once. Show another one.',
    },
    confirmed: 'The number is right. Waiting for the other device…',
    late: {
      title: 'The other device did not open',
      message: 'Show another code.',
    },
    opened: 'The other device is open.',
    sessions: 'Your sessions, where you can end it',
    second: {
      title: 'Open Plimsoll here',
      lead: 'Enter the code that your other browser shows under “Open on another device”.',
      careful: 'Go on only if you asked for the code yourself.',
      code: 'Code',
      codeHint: 'Eight letters and digits, such as ABCD-2345.',
      codeFault: 'A code has eight letters and digits, such as ABCD-2345.',
      name: 'Name for this browser (optional)',
      nameHint: 'Your organization sees it in the ledger.',
      goOn: 'Go on',
      number: 'Type this number in your other browser',
      waiting: 'This page opens as soon as the number is confirmed there.',
      over: {
        title: 'This code opens nothing',
        message:
          'It was used already, is older than two minutes, or its number was wrong. Show another one in your other browser.',
      },
      again: 'Enter another code',
    },
  },
}
