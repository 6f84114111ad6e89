/** The last hours of a session. */
export const sessionEnding = {
  endsIn: (span: string) => `This session ends in ${span}.`,
  /** Asking the server who is signed in did not make it longer. */
  forGood: (span: string) => `This session ends in ${span}, and cannot be extended.`,
  extend: 'Stay signed in · free',
  busy: 'Extending…',
  extended: (date: string) => `You stay signed in until ${date}.`,
  failed: 'Not extended: the server cannot be reached.',
  signIn: (requests: string) => `Sign in again · ${requests}`,
}
