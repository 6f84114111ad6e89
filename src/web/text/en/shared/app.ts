import { plural } from '../plural.ts'

export const app = {
  /** The price of a press: "1 request", "1–2 requests". */
  requests: (low: number, high: number) =>
    low === high ? plural(low, 'request') : `${low}–${high} requests`,
  opening: 'Opening Plimsoll…',
  loadingPage: 'Loading the page…',
  signingOut: 'Signing out…',
  tryAgainFree: 'Try again · free',
  reload: 'Reload',
  goToStart: 'Go to the start page',
  newVersion: {
    title: 'A new version is here',
    message: 'Reloading loses what you typed.',
  },
  notFound: {
    title: 'Not found',
    heading: 'There is nothing at this address',
    words: 'The address may be mistyped. Organization pages look like /organizations/1001.',
  },
  broken: {
    heading: 'This page could not be shown',
    words: 'An error stopped it. Nothing was lost, and nothing was spent.',
  },
  unreported: {
    title: 'Signed out in this browser',
    heading: 'Signed out in this browser only',
    /** @param until the latest end of the session, as a date */
    words: (until: string | undefined) =>
      `The server did not confirm it: this page has forgotten everything, but the session may still be open there${until === undefined ? '' : `, until ${until} at the latest`}. The sign-out is tried again by itself, also when this page is opened the next time.`,
    problem: (title: string, supportId: string | undefined) =>
      supportId === undefined ? `${title}.` : `${title}, support id ${supportId}.`,
    again: 'Sign out again',
  },
}
