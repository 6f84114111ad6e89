export const organizations = {
  words: 'Each is signed in to by itself. To change between them costs nothing. A sign-out ends them all.',
  most: (count: number) => `At most ${count} at a time: the one that was not used for longest ends.`,
  inUse: 'Open now',
  further: 'Sign in to another organization',
}
