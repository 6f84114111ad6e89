export const callback = {
  title: 'Signing in',
  finishing: 'Signing you in…',
  words: 'Your organization is read once.',
  cancel: 'Cancel',
  failed: 'You are not signed in',
  again: 'Start again',
  denied: (id: string) =>
    `The service gave no access: you pressed Deny, or you are not a member of organization ${id}.`,
  serviceFailed: {
    title: 'The service had a problem',
    message: (error: string) => `It is not your fault; try again in a few minutes. Error code: ${error}.`,
  },
  requestRefused: {
    title: 'The service refused the request for access',
    message: (error: string) =>
      `Only the operator of Plimsoll can fix this. Tell them the error code: ${error}.`,
  },
  unknownId: {
    title: (id: string) => `The service has no organization ${id}`,
    message:
      'Check the number in the address of your project list. If it is right, tell the operator of Plimsoll the error code: invalid_request.',
  },
  malformed: {
    title: 'The service’s reply could not be read',
    message: 'Part of it is missing, wrong or there twice. Start again.',
  },
  noCookie: {
    title: 'This browser did not keep the sign-in cookie',
    message: 'Allow cookies for this address, then start again.',
    /** The same at an http address. */
    http: 'Allow cookies for this address, then start again. Safari keeps no cookies of an http address: use another browser, or the https address.',
  },
}
