import { plural } from '../plural.ts'

export const guide = {
  title: 'Set-up guide for administrators',
  lead: 'Once for each Plimsoll, an administrator registers it at the service. After that, members of the organization can sign in.',
  register: {
    heading: '1. Register the application',
    where:
      'In the service, open the settings of your organization, then the application setting, and choose “add application”. Only administrators of the organization can do that.',
    name: 'Enter a name, such as Plimsoll. The description may stay empty.',
    redirect: 'Enter this redirect URI exactly as it is here, without a slash at the end:',
    terms: 'Tick the agreement to the API terms, and register.',
  },
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'The browser did not allow it: select the address and copy it.',
  credentials: {
    heading: '2. Give its two values to the operator of Plimsoll',
    words:
      'The service shows a Client Id and a Client Secret. They belong in the settings of the server. The secret stays there: no browser ever gets it.',
    inUse: 'Client Id that this Plimsoll uses now:',
  },
  people: {
    heading: '3. Give people the organization id',
    words:
      'They type it at the sign-in, or paste the address of the project list, where it is the number after organization_id=.',
  },
  plans: {
    heading: 'What each plan allows',
    words:
      'The requests of a month are counted for the whole organization. Those of a minute are counted for each sign-in.',
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
      `With the Standard plan there is room for ${plural(applications, 'application')}: if one is registered already, Plimsoll needs its place. Its ${plural(perMonth, 'request')} a month are for all who sign in; a sign-in costs 1.`,
  },
  key: {
    heading: 'With an API key instead',
    words:
      'Nothing has to be registered for it: an administrator issues a key under the API key setting of the organization, and it is pasted at the sign-in. Everyone who has the key has the access, so give it to few people.',
  },
  back: 'Back to the sign-in',
  backSignedIn: 'Back to quota and organization',
}
