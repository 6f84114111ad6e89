export const callback = {
  title: 'Signing in',
  finishing: 'Finishing the sign-in…',
  words: 'The service has answered. Its code is being exchanged, and your organization read once.',
  cancel: 'Cancel',
  failed: 'The sign-in did not finish',
  again: 'Start again',
}
