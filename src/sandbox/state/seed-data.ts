/** The built-in records: two organizations and three people. */

export const STANDARD_ID = 1001
export const BUSINESS_ID = 2002

const project = (name: string, lead: string, open_tasks: number, done_tasks: number, due_on: string) => {
  return { name, lead, open_tasks, done_tasks, due_on }
}

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
      project('Mooring lines for the Kittiwake', 'Ada Lindqvist', 4, 11, '2026-12-04'),
      project('New tarring shed', 'Ben Achterberg', 17, 5, '2027-03-19'),
      project('Annual stocktaking', 'Ada Lindqvist', 9, 0, '2026-12-30'),
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
      project('Winter timetable', 'Cleo Marchetti', 23, 64, '2026-12-13'),
      project('Dry dock of the Halcyon', 'Cleo Marchetti', 41, 18, '2027-02-01'),
      project('Crew handbook, seventh edition', 'Ada Lindqvist', 2, 30, '2026-11-27'),
      project('Shore power at Greyhaven', 'Cleo Marchetti', 12, 12, '2027-05-10'),
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
