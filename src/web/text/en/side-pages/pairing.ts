export const pairing = {
  title: 'Open on another device',
  lead: 'Opens your session in another browser, such as on your phone. It costs no request.',
  careful: 'Do this only with a device of your own. Whoever opens it can do what you can.',
  show: 'Show a code',
  showAnother: 'Show another code',
  scan: 'Scan this with the camera of the other device.',
  qr: 'QR code of the address with the code',
  type: (address: string) => `Or open ${address} there and enter this code:`,
  left: (time: string) => `Good for ${time}, and once`,
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
      'Nothing was opened, and the code is no longer valid. If you typed it right, somebody else may have seen your code.',
  },
  over: {
    title: 'This code is no longer valid',
    message: 'A code is good for two minutes, and once. Show another one.',
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
    goOn: 'Go on',
    number: 'Type this number in your other browser',
    waiting: 'This page opens as soon as the number is confirmed there.',
    over: {
      title: 'This code opens nothing',
      message:
        'It was used, or is older than two minutes, or the number was refused. Show another code in your other browser.',
    },
    again: 'Enter another code',
  },
}
