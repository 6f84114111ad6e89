/** The built-in records: two organizations and three people. */

export const STANDARD_ID = 1001
export const BUSINESS_ID = 2002

export const ORGANIZATIONS = [
  {
    id: STANDARD_ID,
    name: 'Harbour Rope Works',
    plan: 'standard',
    details: {
      created_at: '2019-04-08T07:30:00Z',
      description:
        'A small ropery on the east quay. Twelve people twist, splice and test mooring lines, heaving ' +
        'lines and the odd bell rope, to order and by hand. Since the flood of 2021 everything that has a ' +
        'due date is kept here and not on the wall, which nobody regrets but the wall.',
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
        'Short-sea freight between eleven ports, with seven ships of its own and a timetable that people ' +
        'set their clocks by. Planning, crewing, dry docks and the paperwork of every call run through ' +
        'this organization.',
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

export const PEOPLE = [
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
