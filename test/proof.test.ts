/**
 * Plays people, a client and the service against each other in virtual time (tools/proof). This is the short
 * form: `npm run proof` plays each value of each choice, and many more random runs.
 */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Choices, DEFAULT_CHOICES, parseChoices } from '../src/sandbox/choices/choices.ts'
import { BROKEN } from '../tools/proof/broken-clients.ts'
import { anyCommands, type Command, TOUR } from '../tools/proof/commands.ts'
import { INVARIANTS } from '../tools/proof/invariants.ts'
import { IMPOSSIBLE } from '../tools/proof/model.ts'
import { type Played, play } from '../tools/proof/play.ts'
import { anyService, nameOf, servicesOfAllPairs, SINGLES } from '../tools/proof/services.ts'
import { IS_WHOLE } from './_extent.ts'

const { PROOF_SEED, PROOF_PATH, PROOF_RUNS } = process.env
/** A new one each time for the whole proof, and the same each time for `npm test`. */
const seed = Number(PROOF_SEED ?? (IS_WHOLE ? Date.now() % 2 ** 31 : 1))
const runs = Number(PROOF_RUNS ?? (IS_WHOLE ? 200 : 4))
/** The path of fast-check, and that of its commands if they were shrunk. */
const [path, replayPath] = PROOF_PATH?.split('/') ?? []
const MINUTES = 60_000

const totals = { runs: 0, presses: 0, exact: 0, endings: new Map<string, number>() }

function note({ recording }: Played): void {
  totals.runs += 1
  totals.presses += recording.prices.length
  totals.exact += recording.prices.filter(({ said: { low, high } }) => low === high).length
  for (const ending of recording.endings) {
    const code = ending.slice(ending.lastIndexOf(': ') + 2)
    totals.endings.set(code, (totals.endings.get(code) ?? 0) + 1)
  }
}

afterAll(() => {
  const endings = [...totals.endings].toSorted(([, a], [, b]) => b - a).map((one) => one.join(' '))
  if (IS_WHOLE)
    console.log(`
seed ${seed}: ${totals.runs} runs
${totals.presses} presses with a price, ${totals.exact} of them with one number
endings: ${endings.join(', ')}`)
})

async function expectNoViolation(choices: Choices, commands: Parameters<typeof play>[1]): Promise<Played> {
  const played = await play(choices, commands)
  note(played)
  const { violations, last } = played
  expect({ service: nameOf(choices), last, violations }).toMatchObject({ violations: [] })
  return played
}

test.each(BROKEN.map((broken) => [broken.planted, broken] as const))(
  'one invariant finds a client out: %s (5.4, 8)',
  async (_, { violates, commands, choices = {}, breakage }) => {
    await expectNoViolation(parseChoices(choices), commands)
    const broken = await play(parseChoices(choices), commands, breakage)
    expect(broken.violations.map((one) => one.split(': ')[0])).toEqual([violates])
  },
)

test('each invariant has a broken client', () => {
  expect(new Set(BROKEN.map(({ violates }) => violates))).toEqual(new Set(Object.keys(INVARIANTS)))
})

test('at a service of defaults, people end as they expect, and the refusals are all met', async () => {
  const { recording } = await expectNoViolation(DEFAULT_CHOICES, TOUR)
  const endings = new Set(recording.endings)
  for (const ending of [
    'an unknown application: at the service',
    'a made-up code for others: code_rejected',
    'the callback came back: state_mismatch',
    'the state came back: state_mismatch',
    'permission denied: access_denied',
    'a permission for others: access_denied',
    'the minute is used up: rate_limited',
    'the month is used up: month_suspected',
    'ben presses read: access_withdrawn',
    'ada presses read: client_rejected',
    'key presses read: credential_refused',
    'the cookie after the sign-out: signed_out',
    'the cookie after the withdrawal: signed_out',
  ])
    expect(endings).toContain(ending)
  const presses = recording.prices.filter(({ isForeseeable }) => isForeseeable)
  expect(presses.length).toBeGreaterThan(60)
})

/** In `npm test` the sign-in and one press are enough; the values come back in the whole tour. */
const SHORT = IS_WHOLE ? TOUR : TOUR.slice(1, 4)
/** They decide which requests count, and how long a token is good. */
const DECISIVE = ['toklimit=counts_as_update', 'ratelimitcount=none', 'failcount=all', 'shared']
const impossible = IMPOSSIBLE.flatMap(([key, values]) =>
  Object.keys(values).map((value) => `${key}=${value}`),
)

test.each(SINGLES.filter(([name]) => IS_WHOLE || impossible.includes(name)))(
  'people and the client keep to the invariants at a service of %s',
  async (_, choices) => expect((await expectNoViolation(choices, SHORT)).violations).toEqual([]),
  10 * MINUTES,
)

test.each(SINGLES.filter(([name]) => !IS_WHOLE && DECISIVE.some((one) => name.startsWith(one))))(
  'a press costs what its button said at a service of %s (5.4, 8.3)',
  async (_, choices) => expect((await expectNoViolation(choices, TOUR.slice(1, 64))).violations).toEqual([]),
  10 * MINUTES,
)

test(
  'random people keep to the invariants at random services',
  async () => {
    const property = fc.asyncProperty(anyService(), anyCommands(replayPath), async (choices, commands) => {
      const played = await play(choices, commands)
      note(played)
      if (played.violations.length > 0)
        throw new Error(`after "${played.last}": ${played.violations.join('\n')}`)
    })
    // To find the shortest commands takes minutes, which only the whole proof has.
    const options = { seed, numRuns: runs, endOnFailure: !IS_WHOLE || path !== undefined }
    // The whole proof begins with all pairs of values of two choices.
    const services = IS_WHOLE ? servicesOfAllPairs(seed) : []
    const people = fc.sample(anyCommands(), { seed, numRuns: services.length || 1 })
    const examples = services.map((choices, at): [Choices, Iterable<Command>] => [choices, people[at] ?? []])
    const found = await fc.check(property, { ...options, examples, ...(path !== undefined && { path }) })
    const [choices = DEFAULT_CHOICES, shown] = found.counterexample ?? []
    const commands = fc.stringify(shown)
    const replay = /replayPath=\\*"([^"\\]*)/.exec(commands)?.[1]
    expect(
      found.failed &&
        `npm run proof -- --seed ${seed} --path '${found.counterexamplePath ?? ''}/${replay ?? ''}'
${String(found.errorInstance)}
${nameOf(choices)}
${commands}`,
    ).toBe(false)
  },
  600 * MINUTES,
)
