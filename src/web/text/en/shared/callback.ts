export const callback = {
  title: 'Signing in',
  finishing: 'Finishing the sign-in…',
  words: 'The service has answered. Its code is being exchanged, and your organization read once.',
  cancel: 'Cancel',
  failed: 'The sign-in did not finish',
  again: 'Start again',
  denied: (id: string) =>
    `The service gave no access: you pressed Deny, or you are not a member of organization ${id}.`,
  serviceFailed: {
    title: 'The service failed at the sign-in',
    message: (error: string) =>
      `The service reported an error of its own (${error}): the cause is not on this page, and not with you. Nothing was opened. Try again in a while.`,
  },
  requestRefused: {
    title: 'The service refused the request for access',
    message: (error: string) =>
      `Only the operator of Plimsoll can correct this. Tell them the error code: ${error}.`,
  },
  unknownId: {
    title: (id: string) => `The service knows no organization ${id}`,
    message:
      'Check the number in your project list’s address. If it is right, tell the operator of Plimsoll the error code: invalid_request.',
  },
  malformed: {
    title: 'The answer of the service cannot be used',
    message:
      'A part of it is there twice, or cannot be right, so that it is not known which to trust. Nothing was opened.',
  },
  noCookie: {
    title: 'This browser did not store the cookie of the sign-in',
    message:
      'Without that cookie no session can be opened. Allow cookies for this address, then start again.',
    /** The same at an http address. */
    http: 'Without that cookie no session can be opened. Allow cookies for this address, then start again. Safari stores no cookies of this http address: use another browser, or the https address.',
  },
}
