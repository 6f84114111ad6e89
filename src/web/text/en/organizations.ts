export const organizations = {
  words: (most: number) => `At most ${most} at a time. To change costs nothing; a sign-out ends all.`,
  inUse: 'Open now',
  further: 'Sign in to another organization',
}
