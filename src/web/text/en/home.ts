import { plural } from './first.ts'
import { month } from './month.ts'

/** The words of the organization’s page. */
export const home = {
  ...month,
  header: {
    heading: 'Quota and organization',
    byKey: 'Signed in with an API key',
    pages: 'Pages',
    account: 'Account',
    organizations: 'Your organizations',
    allOrganizations: 'All your organizations',
    ledger: 'Ledger',
    learnt: 'How limits are counted',
    sessions: 'Your sessions',
    links: 'Share what is left',
    device: 'Open on another device',
    signOut: 'Sign out',
    live: 'Live',
    connecting: 'Connecting',
    notLive: (since: string) => `Not live since ${since}`,
  },
  minute: {
    heading: 'Speed limit, this minute',
    classes: {
      read: {
        name: 'Reads',
        bar: 'Read requests left this minute',
      },
      update: {
        name: 'Updates',
        bar: 'Update requests left this minute',
      },
    },
    left: (count: string) => `${count} left`,
    low: (count: string) => `Low: ${count} left`,
    perMinute: (limit: string) => `${limit} a minute`,
    noLimit: 'limit not known yet',
    ofLimit: (count: string, limit: string) => `${count} of ${limit}`,
    refillsIn: (wait: string) => `refills in ${wait}`,
    new: 'new minute',
    unknown: 'not measured yet',
    /** For a card that gets no newer values. */
    lastUpdate: (ago: string) => `Last update ${ago}`,
    recent: {
      label: 'Last requests',
      you: 'You',
      another: 'Another browser',
      kinds: {
        sign_in: 'signed in',
        read: 'read the organization',
        check: 'checked limits',
        refresh: 'refreshed the token',
      },
      failed: (ago: string) => `failed ${ago}`,
    },
    check: 'Check limits',
    checkAgain: 'Check again',
    paused: (wait: string) => `Paused: ${wait}`,
  },
  organization: {
    heading: 'Organization',
    numbered: (id: string) => `Organization ${id}`,
    ofKey: 'Organization of your key',
    refresh: 'Refresh',
    /** No copy is stored. */
    missing:
      'No copy of this organization is stored here. Reading it asks the service, and uses requests of your month.',
    /** The same, after a sign-in whose own read failed. */
    unconfirmed:
      'The service did not answer when you signed in, so nothing of this organization is stored yet. Reading it uses requests of your month.',
    read: 'Read it',
    /** When the record was read. */
    age: {
      numbered: (id: string, ago: string) => `No. ${id} · read ${ago}`,
      plain: (ago: string) => `Read ${ago}`,
    },
    /** What that cost, after the age. */
    cost: {
      stored: 'stored copy, free',
      spent: (requests: string) => `cost ${requests}`,
    },
    plans: { standard: 'Standard', business: 'Business' },
    labels: { plan: 'Plan', members: 'Members', address: 'Address', created: 'Created' },
    administrator: (name: string) => `${name} (administrator)`,
    moreMembers: (count: number) => `${count} more`,
    allFields: 'All fields, as the service sent them',
    changed: (names: string) => (names === '' ? 'something has changed' : `changed: ${names}`),
    andMore: (count: number) => `${count} more`,
    unchanged: 'nothing has changed',
    /** Another organization than that of the session. */
    other: {
      heading: (id: string) => `This is not organization ${id}`,
      ofKey: (id: string) =>
        `You are signed in with an API key. It belongs to one organization, and it is not known whether that is ${id}.`,
      own: (id: string) => `You are signed in for organization ${id}. A sign-in is for one organization.`,
      stays: 'You stay signed in to the other one.',
      goToKey: 'See the organization of the key',
      goToOwn: (id: string) => `Go to organization ${id}`,
      ended: (organization: string) => `The session of ${organization} has ended`,
    },
  },
  /** The last hours of a session. */
  sessionEnding: {
    endsIn: (span: string) => `This session ends in ${span}.`,
    again: 'Sign in again',
  },
  record: {
    items: (count: number) => plural(count, 'item'),
    more: (count: number) => `The raw JSON has ${count} more.`,
    raw: 'Raw JSON',
    cut: 'Only the first part is shown. “Copy” copies all of it.',
  },
  copy: {
    label: 'Copy',
    copied: 'Copied',
    notCopied: 'Your browser did not copy it. Select the text, and copy it yourself.',
  },
}
