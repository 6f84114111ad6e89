export const organizations = {
  words: 'You sign in to each organization separately. Switching is free. Signing out ends all of them.',
  most: (count: number) => `Up to ${count}. Adding one more signs out the least recently used.`,
  inUse: 'Open now',
  further: 'Sign in to another organization',
}
