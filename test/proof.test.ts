/**
 * Plays people, a client and the service against each other in virtual time (tools/proof). This is the short
 * form: `npm run proof` plays each value of each choice, and many more random runs.
 */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import {
  changedChoices,
  CHOICE_KEYS,
  CHOICES,
  type ChoiceKey,
  type Choices,
  DEFAULT_CHOICES,
  parseChoices,
} from '../src/sandbox/choices/choices.ts'
import { BROKEN } from '../tools/proof/broken-clients.ts'
import { anyCommands, type Command, signIn, TOUR } from '../tools/proof/commands.ts'
import { violationsOf } from '../tools/proof/invariants.ts'
import { IMPOSSIBLE } from '../tools/proof/endings.ts'
import { type Breakage, World } from '../tools/proof/world.ts'
import { IS_WHOLE } from './_extent.ts'

const { PROOF_SEED, PROOF_PATH, PROOF_RUNS } = process.env
/** A new one each time for the whole proof, and the same each time for `npm test`. */
const seed = Number(PROOF_SEED ?? (IS_WHOLE ? Date.now() % 2 ** 31 : 1))
const runs = Number(PROOF_RUNS ?? (IS_WHOLE ? 200 : 3))
/** The path of fast-check, and that of its commands if they were shrunk. */
const [path, ...replayPath] = PROOF_PATH?.split('/') ?? []
const HOURS = 3_600_000

const isImpossible = (key: ChoiceKey, value: string): boolean => IMPOSSIBLE[key]?.[value] !== undefined
const valuesOf = (key: ChoiceKey): string[] =>
  Object.keys(CHOICES[key]['x-values']).filter((value) => !isImpossible(key, value))
/** Each choice set to each of its values but the default, as in `codelife=seconds_60`. */
const singles = CHOICE_KEYS.flatMap((key) => valuesOf(key).map((value): [ChoiceKey, string] => [key, value]))
  .filter(([key, value]) => DEFAULT_CHOICES[key] !== value)
  .map(([key, value]): [string, Choices] => [`${key}=${value}`, parseChoices({ [key]: value })])
const impossible = Object.entries(IMPOSSIBLE).flatMap(([key, endings]) =>
  Object.entries(endings).map(([value, ending]) => [key, value, ending] as const),
)
/** Any value of any choice that lets people sign in; a failure shrinks to the default. */
const anyService = fc
  .record(Object.fromEntries(CHOICE_KEYS.map((key) => [key, fc.constantFrom(...valuesOf(key))])), {
    noNullPrototype: true,
  })
  .map((choices) => parseChoices(choices))

const totals = { runs: 0, endings: new Map<string, number>() }

async function play(
  choices: Choices,
  commands: Iterable<Command>,
  breakage?: Breakage,
): Promise<{ endings: readonly string[]; violations: string[] }> {
  const world = new World(choices, breakage)
  try {
    await fc.asyncModelRun(() => ({ model: world.people, real: world }), commands)
  } finally {
    await world.app.store.close()
  }
  return { endings: world.endings, violations: violationsOf(world) }
}

/** The honest client. */
async function playHonest(choices: Choices, commands: Iterable<Command>): ReturnType<typeof play> {
  const played = await play(choices, commands)
  totals.runs += 1
  for (const ending of played.endings) {
    const code = ending.slice(ending.lastIndexOf(': ') + 2)
    totals.endings.set(code, (totals.endings.get(code) ?? 0) + 1)
  }
  return played
}

afterAll(() => {
  const endings = [...totals.endings].toSorted(([, a], [, b]) => b - a).map((one) => one.join(' '))
  if (IS_WHOLE)
    console.log(`\nseed ${seed}: ${totals.runs} journeys of honest clients
endings: ${endings.join(', ')}`)
})

test.each(Object.entries(BROKEN).map(([violated, broken]) => [broken.planted, violated, broken] as const))(
  'one invariant finds a client out: %s (5.4, 8)',
  async (_, violated, { commands, choices = {}, breakage }) => {
    // The short form plays the honest client only by the tour.
    const honest = IS_WHOLE ? await playHonest(parseChoices(choices), commands) : { violations: [] }
    expect(honest.violations).toEqual([])
    const { violations } = await play(parseChoices(choices), commands, breakage)
    expect(violations.map((one) => one.split(': ')[0])).toEqual([violated])
  },
)

test('at a service of defaults, people end as they expect, and meet all refusals (5.4, 8)', async () => {
  const { endings, violations } = await playHonest(DEFAULT_CHOICES, TOUR)
  expect(violations).toEqual([])
  for (const ending of [
    'a made-up code for others: code_rejected',
    'a permission for others: access_denied',
    'the callback came back: state_mismatch',
    'the minute is used up: rate_limited',
    'the month is used up: month_suspected',
    'ben presses read: access_withdrawn',
    'ada presses read: client_rejected',
    'key uses an ended session: signed_out',
    'ada uses an ended session: signed_out',
    'ben uses an ended session: signed_out',
  ])
    expect(endings).toContain(ending)
})

test.each(impossible)('a sign-in at a service of %s=%s ends so: %s (5.3)', async (key, value, ending) => {
  const { endings } = await play(parseChoices({ [key]: value }), [signIn('ada')])
  expect(endings).toEqual([`ada signs in: ${ending}`])
})

test.each(IS_WHOLE ? singles : [])(
  'people and the client keep to the invariants at a service of %s (5.4, 8)',
  async (_, choices) => expect((await playHonest(choices, TOUR)).violations).toEqual([]),
  HOURS,
)

test(
  'random people keep to the invariants at random services (5.4, 8)',
  async () => {
    const people = anyCommands(replayPath.join('/'))
    const property = fc.asyncProperty(anyService, people, async (choices, commands) => {
      const { violations } = await playHonest(choices, commands)
      if (violations.length > 0) throw new Error(violations.join('\n'))
    })
    // To find the shortest commands takes minutes, which only the whole proof has.
    const options = { seed, numRuns: runs, endOnFailure: !IS_WHOLE || path !== undefined }
    const found = await fc.check(property, { ...options, ...(path !== undefined && { path }) })
    const [choices = DEFAULT_CHOICES, commands] = found.counterexample ?? []
    const shown = fc.stringify(commands)
    expect(
      found.failed &&
        `npm run proof -- --seed ${seed} --path '${found.counterexamplePath ?? ''}/${/replayPath=\\*"([^"\\]*)/.exec(shown)?.[1] ?? ''}'
${String(found.errorInstance)}
${changedChoices(choices)
  .map((key) => `${key}=${choices[key]}`)
  .join(' ')}
${shown}`,
    ).toBe(false)
  },
  100 * HOURS,
)
