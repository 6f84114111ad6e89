import { plural } from '../plural.ts'

export const guide = {
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
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Your browser did not allow it. Select the address and copy it.',
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
    heading: 'What each plan allows',
    words: 'The whole organization shares the monthly limit. Each sign-in has its own limit a minute.',
    item: 'Item',
    business: 'Business',
    standard: 'Standard',
    applications: 'OAuth applications',
    keys: 'API keys',
    read: 'Reads a minute',
    update: 'Updates a minute',
    month: 'Requests a month',
    unlimited: 'unlimited',
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
  backSignedIn: 'Back to quota and organization',
}
