import { plural } from './first.ts'

/** The words of the set-up guide, and of how limits are counted. */
export const guide = {
  guide: {
    title: 'Set-up guide for administrators',
    lead: 'An administrator registers Plimsoll once. After that, members of the organization can sign in.',
    register: {
      heading: '1. Register the application',
      where:
        'In the service, open the settings of your organization, then the application setting, and choose “add application”. You need to be an administrator.',
      name: 'Enter a name, such as Plimsoll. You can leave the description empty.',
      redirect: 'Enter exactly this redirect URI, without a slash at the end:',
      terms: 'Agree to the API terms, and register.',
    },
    credentials: {
      heading: '2. Give its two values to the operator of Plimsoll',
      words:
        'The service shows a Client Id and a Client Secret. The operator enters both in the settings of the server. No browser ever gets the secret.',
      inUse: 'Client Id that this Plimsoll uses now:',
    },
    people: {
      heading: '3. Give people the organization id',
      words:
        'They enter it to sign in, or paste the address of the project list. The id is the number after organization_id=.',
    },
    plans: {
      heading: 'What the plan allows',
      words: 'The whole organization shares the monthly limit. Each sign-in has its own limit a minute.',
      /** @param applications how many the Standard plan allows @param perMonth requests a month */
      standardNote: (applications: number, perMonth: number) =>
        `The Standard plan allows ${plural(applications, 'application')}: if you have one already, Plimsoll has to replace it. Everyone who signs in shares the ${plural(perMonth, 'request')} a month; signing in uses at least 1.`,
    },
    key: {
      heading: 'With an API key instead',
      words:
        'You do not have to register anything: an administrator creates a key in the API key setting of the organization, and you paste it to sign in. Everyone who has the key has access, so give it to few people.',
    },
    back: 'Back to the sign-in',
  },
  learnt: {
    title: 'How limits are counted',
    lead: 'The service does not say everything about its limits. Plimsoll learns from answers that you asked for and from the counts that you enter. It never sends a request to find out.',
    everybody: 'Everyone who uses this Plimsoll sees the same.',
    loading: 'Loading…',
    nothing: 'Nothing is known yet.',
    open: (count: number) =>
      `${plural(count, 'open question')}: we assume the worst case for ${count === 1 ? 'it' : 'each'}`,
    questions: {
      token_code_counts: 'Does signing in count as a request?',
      token_refresh_counts: 'Does a token refresh count as a request?',
      rate_limit_counts: 'Does a limit check count as a request?',
      failed_requests_count: 'Do refused and failed requests count?',
      month_zones: 'In which time zone does the month reset?',
    },
    stated: 'Stated',
    byOperator: 'by the operator of this Plimsoll, and in use',
    found: 'Known',
    assumed: 'Assuming',
    since: (date: string) => `since ${date}`,
    states: {
      in_use: 'in use',
      fits: 'fits everything seen so far, but is not proven: confirm it to use it',
      open: 'not conclusive, so not in use',
      beside: 'not in use, because the operator has stated a value',
    },
    /** By the values that are codes. All others are names of time zones. */
    values: {
      yes: 'yes',
      no: 'no',
      unknown: 'unknown',
    },
    andMore: (more: number) => `${more} more`,
    observations: 'How we know',
    observed: {
      month_reset: (after: string, by: string) => `The month was reset after ${after} and by ${by}.`,
      confirmed: 'Somebody confirmed it.',
      rose_by_less: 'Between two counts on the plan page, the number rose by less than if they counted.',
      rose_with: 'Between two counts on the plan page, the number rose exactly as if they count.',
      rose_without: 'Between two counts on the plan page, the number rose exactly as if they do not count.',
    },
    confirm: 'Confirm',
    confirmed: 'Confirmed. It is in use.',
    forget: 'Forget',
    forgotten: 'Forgotten. The assumption is in use again.',
  },
}
