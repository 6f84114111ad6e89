import { problem } from './problems.ts'

/** "1 request", "2 requests". */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The words of every page, and of those before the sign-in. */
export const first = {
  problem,
  app: {
    /** The price of a press: "1 request", "1–2 requests". */
    requests: (low: number, high: number) =>
      low === high ? plural(low, 'request') : `${low}–${high} requests`,
    opening: 'Opening Plimsoll…',
    loadingPage: 'Loading the page…',
    signingOut: 'Signing out…',
    tryAgain: 'Try again',
    tryAgainFree: 'Try again · free',
    reload: 'Reload',
    goToStart: 'Go to the start page',
    newVersion: {
      title: 'A new version is here',
      message: 'Reload when you are done here. Anything you have typed will be lost.',
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
    notSignedOut: 'Not signed out yet',
  },
  signIn: {
    title: 'Sign in',
    lead: 'See your organization and the requests it has left.',
    done: 'You are signed out',
    ended: {
      elsewhere: 'You ended it in another browser.',
      /** @param most sessions that one person may have */
      tooMany: (most: number) =>
        `You can have ${plural(most, 'session')}: a new one replaced this one, the oldest.`,
    },
    below: 'Sign in below',
    noCookies: 'This browser blocks cookies of this address. Allow them before you sign in.',
    otherAddress: {
      words: (home: string) => `Sign in at ${home}: the service sends you back there.`,
      go: (home: string) => `Go to ${home}`,
    },
    /** A button that signs in directly. The price follows. */
    direct: (name: string, id: string) => `${name} (${id}) · `,
    directWithoutName: (id: string) => `Organization ${id} · `,
    sandbox: {
      ribbon: 'Sandbox',
      words: 'A practice service on this computer. Nothing in it is real or costs money.',
      control: 'Control plane of the sandbox',
    },
    last: {
      heading: 'Last used in this browser',
      removeAll: 'Remove all',
      words: 'Signing out removes them too.',
    },
    organization: {
      label: 'Organization id, or the address of your project list',
      hint: 'The number after organization_id= in the address of your project list.',
      read: (id: string) => `organization ${id}`,
      button: (requests: string) => `Sign in · ${requests}`,
      busy: 'Going to the service…',
      price: (requests: string, perMonth: number) =>
        `Signing in uses ${requests}. The Standard plan has ${perMonth} a month.`,
      faults: {
        empty: 'Type the organization id.',
        not_an_id: 'An organization id is a positive whole number, such as 1001.',
        not_in_address: 'This address has no organization_id.',
        several_ids: 'This has several organization ids. Type one of them.',
      },
    },
    key: {
      summary: 'Use an API key instead',
      label: 'API key',
      hint: 'An administrator creates it in the API key setting of your organization.',
      button: 'Sign in with the key · 1 request',
      busy: 'Checking the key…',
      empty: 'Paste the API key.',
      invalid: 'An API key has no spaces or special characters.',
    },
    guide: 'Set-up guide for administrators',
  },
  callback: {
    title: 'Signing in',
    finishing: 'Signing you in…',
    failed: 'The sign-in did not succeed',
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
        `Check the organization’s number. If it is right, tell the operator of Plimsoll the error code ${error}.`,
    },
    malformed: {
      title: 'The service’s reply could not be read',
      message: 'Part of it is missing, wrong or repeated. Start again.',
    },
    interrupted: {
      title: 'The sign-in was interrupted',
      message: 'The page was loaded again before the sign-in was finished.',
    },
  },
  /** The organizations that a browser is signed in to. */
  open: {
    heading: 'Still signed in',
    /** @param organization one of the three below */
    use: (organization: string) => `Open ${organization} · free`,
    named: (name: string, id: string) => `${name} (${id})`,
    numbered: (id: string) => `organization ${id}`,
    ofKey: 'the organization of an API key',
  },
  notice: {
    tryAgainIn: (span: string) => `You can try again in ${span}.`,
    supportId: 'Support id',
  },
  reason: {
    whyWeThinkSo: (reasons: string) => `Why we think so: ${reasons}`,
    long_wait_asked: 'The service asks to wait for longer than a minute.',
    short_wait_asked: 'The service asks to wait for a minute at most.',
    minute_has_requests_left:
      'Refused although this minute has requests left, so the month is probably used up.',
    reset_is_far: 'The reset is further away than a minute.',
    minute_used_up: 'No requests of this minute are left.',
    few_were_sent: 'Far fewer requests were sent than a minute allows.',
    refused_again: 'It was refused again after a pause of a minute.',
    limit_not_named: 'The answer does not name the limit that is reached.',
    payment_asked: 'The service asks for payment.',
    refused_near_the_end_of_the_month: 'It was refused when nearly all requests of the month were sent.',
    minute_used_up_before_refresh:
      'No requests of this minute were left before the access token was refreshed.',
    reset_is_tried: 'Another request is finding out whether the minute has been reset.',
    month_used_by_app: (count: number, limit: number) =>
      `Of the ${limit} requests of the month ${count} may have been sent by this app.`,
    month_used_by_reading: (count: number, limit: number, since: number, ago: string) =>
      `Your plan page showed ${count} of ${limit} used ${ago}; ${since} more may have been sent since.`,
    reserved_for_sign_in: (count: number) =>
      `Plimsoll keeps the last ${plural(count, 'request')} for signing in.`,
    reserved_for_person: (count: number) =>
      `Plimsoll keeps the last ${plural(count, 'request')} for what people ask for.`,
    one_try_a_minute:
      'While that is so, one try a minute is sent, and none within 5 seconds of another request.',
    one_request_a_minute: 'While that is so, one request a minute is sent.',
  },
  preferences: {
    skip: 'Skip to content',
    language: 'Language',
    /** The choice of none: the browser's language, the system's theme. */
    automatic: 'Automatic',
    notLoaded: 'This language could not be loaded. Try again, or reload the page.',
    theme: 'Theme',
    themes: { light: 'Light', dark: 'Dark' },
  },
}
