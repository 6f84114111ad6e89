/** The types of a seed, and the built-in seed: two organizations, three people, an application, two keys. */
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { PlanName } from '../../contract/plan.ts'
import { derive } from './random.ts'

export interface Project {
  name: string
  lead: string
  open_tasks: number
  done_tasks: number
  /** A date, for example 2026-11-30. */
  due_on: string
}

export interface Organization {
  id: number
  name: string
  plan: PlanName
  /** Replaces the plan at `from_ms`, if plans change with the month (`planchange`). */
  next_plan?: { plan: PlanName; from_ms: number }
  /** Further fields, which answers have unchanged. The document shows none (2.3). */
  details: JsonObject
  projects: Project[]
}

export interface Person {
  id: string
  name: string
  organizations: { organization_id: number; role: 'administrator' | 'member' }[]
}

/** Sections 2.3 and 5.2. */
export interface Application {
  client_id: string
  client_secret: string
  name: string
  description?: string
  redirect_uri: string
  /** Further ones (`redircount`). `redirectUrisOf` in registered.ts returns all. */
  more_redirect_uris?: string[]
  /** While it is set, the application, its codes and its tokens are refused (`states`, `downgrade`). */
  disabled_by?: 'person' | 'plan'
  /** Set until a secret that is shown once has been shown (`visibility`). */
  secret_unseen?: true
  /** Others can use the application too, see `application_reach`. */
  organization_id: number
}

/** Sections 2.3 and 5.1. */
export interface ApiKey {
  value: string
  description?: string
  organization_id: number
  /** A person's id. */
  issued_by: string
  /** While it is set, the key is refused (`states`, `downgrade`). */
  disabled_by?: 'person' | 'plan'
  /** Set on a deleted key that stays active for a while (`revoked`); see active.ts. */
  deleted_at_ms?: number
}

export interface Seed {
  organizations: Organization[]
  people: Person[]
  applications: Application[]
  api_keys: ApiKey[]
  /** The source of all random values. */
  random: string
}

const STANDARD_ID = 1001
const BUSINESS_ID = 2002

const ORGANIZATIONS: Organization[] = [
  {
    id: STANDARD_ID,
    name: 'Harbour Rope Works',
    plan: 'standard',
    details: {
      created_at: '2019-04-08T07:30:00Z',
      description:
        'A small ropery on the east quay. Twelve people twist, splice and test mooring lines, heaving lines and the odd bell ' +
        'rope, to order and by hand. Since the flood of 2021 everything that has a due date is kept here and not on the wall, ' +
        'which nobody regrets but the wall.',
      website: null,
      phone: '+44 1632 960 417',
      address: { street: '3 East Quay', city: 'Port Ellery', postal_code: 'PE4 2RW', country: 'GB' },
      settings: {
        time_zone: 'Europe/London',
        week_starts_on: 'monday',
        working_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        notifications: { daily_digest: true, due_soon_days: 3, quiet_hours: { from: '18:00', to: '07:00' } },
      },
      tags: ['rope', 'workshop', 'family-run'],
    },
    projects: [
      {
        name: 'Mooring lines for the Kittiwake',
        lead: 'Ada Lindqvist',
        open_tasks: 4,
        done_tasks: 11,
        due_on: '2026-12-04',
      },
      {
        name: 'New tarring shed',
        lead: 'Ben Achterberg',
        open_tasks: 17,
        done_tasks: 5,
        due_on: '2027-03-19',
      },
      {
        name: 'Annual stocktaking',
        lead: 'Ada Lindqvist',
        open_tasks: 9,
        done_tasks: 0,
        due_on: '2026-12-30',
      },
    ],
  },
  {
    id: BUSINESS_ID,
    name: 'Meridian Shipping',
    plan: 'business',
    details: {
      created_at: '2014-09-15T12:00:00Z',
      description:
        'Short-sea freight between eleven ports, with seven ships of its own and a timetable that people set their clocks by. ' +
        'Planning, crewing, dry docks and the paperwork of every call run through this organization.',
      website: 'https://meridian-shipping.example',
      phone: null,
      address: { street: '120 Longitude Row', city: 'Greyhaven', postal_code: 'GH1 0LN', country: 'GB' },
      settings: {
        time_zone: 'UTC',
        week_starts_on: 'sunday',
        working_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        notifications: { daily_digest: false, due_soon_days: 1, quiet_hours: null },
      },
      tags: ['freight', 'short-sea'],
    },
    projects: [
      {
        name: 'Winter timetable',
        lead: 'Cleo Marchetti',
        open_tasks: 23,
        done_tasks: 64,
        due_on: '2026-12-13',
      },
      {
        name: 'Dry dock of the Halcyon',
        lead: 'Cleo Marchetti',
        open_tasks: 41,
        done_tasks: 18,
        due_on: '2027-02-01',
      },
      {
        name: 'Crew handbook, seventh edition',
        lead: 'Ada Lindqvist',
        open_tasks: 2,
        done_tasks: 30,
        due_on: '2026-11-27',
      },
      {
        name: 'Shore power at Greyhaven',
        lead: 'Cleo Marchetti',
        open_tasks: 12,
        done_tasks: 12,
        due_on: '2027-05-10',
      },
    ],
  },
]

const PEOPLE: Person[] = [
  {
    id: 'ada',
    name: 'Ada Lindqvist',
    organizations: [
      { organization_id: STANDARD_ID, role: 'administrator' },
      { organization_id: BUSINESS_ID, role: 'member' },
    ],
  },
  { id: 'ben', name: 'Ben Achterberg', organizations: [{ organization_id: STANDARD_ID, role: 'member' }] },
  {
    id: 'cleo',
    name: 'Cleo Marchetti',
    organizations: [{ organization_id: BUSINESS_ID, role: 'administrator' }],
  },
]

export interface SeedOptions {
  /** Origin of the application, without a trailing slash. */
  publicUrl: string
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** The key of the Standard organization. */
  apiKey?: string | undefined
  /** Values that are not passed in are derived from it. */
  random: string
}

/** Business has the application, so Standard can still register its only one (8.1). */
export function seedFor({ publicUrl, clientId, clientSecret, apiKey, random }: SeedOptions): Seed {
  const seeded = (what: string) => derive(random, `seeded ${what}`)
  return {
    organizations: structuredClone(ORGANIZATIONS),
    people: structuredClone(PEOPLE),
    applications: [
      {
        client_id: clientId ?? seeded('client_id').slice(0, 20),
        client_secret: clientSecret ?? seeded('client_secret'),
        name: 'Plimsoll',
        description: 'Shows your organization, and how many requests are left before they run out.',
        redirect_uri: `${publicUrl}${CALLBACK_PATH}`,
        organization_id: BUSINESS_ID,
      },
    ],
    api_keys: [
      {
        value: apiKey ?? seeded('api_key of Standard'),
        description: 'Nightly export',
        organization_id: STANDARD_ID,
        issued_by: 'ada',
      },
      {
        value: seeded('api_key of Business'),
        description: 'Timetable board',
        organization_id: BUSINESS_ID,
        issued_by: 'cleo',
      },
    ],
    random,
  }
}
