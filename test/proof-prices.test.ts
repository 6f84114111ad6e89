/**
 * The short form of the proof for prices: the choices that decide what counts or how long a token lives, and
 * a part of the others. `npm run proof` plays all of them.
 */
import { expect, test } from 'vitest'
import { type Choices, DEFAULT_CHOICES, parseChoices } from '../src/sandbox/choices/choices.ts'
import { singles } from '../tools/proof/choice-sets.ts'
import { countPrices, playPrices, priceLines, priceViolations } from '../tools/proof/prices.ts'
import { IS_WHOLE } from './_extent.ts'

const PATIENCE_MS = 600_000
/** They decide which requests count, and how long a token is good. */
const DECISIVE: readonly (keyof Choices)[] = [
  'toklimit',
  'ratelimitcount',
  'failcount',
  'oldaccess',
  'boundary',
  'rotation',
  'tokenfields',
  'invalidcred',
  'shared',
]
const isDecisive = (name: string) => DECISIVE.some((key) => name.startsWith(`${key}=`))
const played = singles().filter(({ name }, at) => IS_WHOLE || isDecisive(name) || at % 24 === 0)
const PER_TEST = 6
const portions = Array.from({ length: Math.ceil(played.length / PER_TEST) }, (_, at) =>
  played.slice(at * PER_TEST, (at + 1) * PER_TEST),
)

test.each(portions.map((portion) => [portion[0]?.name, portion] as const))(
  'a press costs what its button said at the services from %s on (5.4, 8.3)',
  async (_, portion) => {
    for (const { name, choices } of portion) {
      const pressed = await playPrices(choices)
      expect({ [name]: priceViolations(pressed) }).toEqual({ [name]: [] })
      const { presses, within, notForeseeable } = countPrices(pressed)
      expect(within + notForeseeable).toBe(presses)
    }
  },
  PATIENCE_MS,
)

test.each([
  [
    'not_counted',
    [
      [1, 1],
      [1, 1],
    ],
  ],
  [
    'counts_as_update',
    [
      [1, 2],
      [2, 2],
    ],
  ],
] as const)(
  'where token requests are %s, readings make one number of each range, and it is right (8.3)',
  async (toklimit, [justBefore, due]) => {
    const pressed = await playPrices(parseChoices({ toklimit }))
    const said = (at: string) => Object.values(pressed.find((one) => one.at === at)?.said ?? {})
    expect(said('first')).toEqual([1, 2])
    expect(said('nothing known, a refresh is due')).toEqual([1, 2])
    expect(said('after readings, just before a refresh is due')).toEqual(justBefore)
    expect(said('after readings, a refresh is due')).toEqual(due)
    const signedInLast = pressed.findLast(({ press }) => press === 'sign_in')
    expect(Object.values(signedInLast?.said ?? {})).toEqual(due)
    expect(pressed.filter(({ isForeseeable }) => !isForeseeable).length).toBeGreaterThanOrEqual(4)
    expect(priceLines(countPrices(pressed))).toHaveLength(3)
  },
  PATIENCE_MS,
)

test(
  'a page that leaves the refresh out of its price is found out (5.4)',
  async () => {
    const pressed = await playPrices(parseChoices({ toklimit: 'counts_as_update' }), {
      answers: (fetch) => async (request) => {
        const answer = await fetch(request)
        if (!request.url.endsWith('/bff/quota') || !answer.ok) return answer
        const { refresh: _, ...rest } = (await answer.json()) as { refresh: unknown }
        return new Response(JSON.stringify(rest), { status: answer.status, headers: answer.headers })
      },
    })
    expect(priceViolations(pressed)).toContain(
      'read, nothing known, expired: the button said 1 to 1, and it cost 2',
    )
    expect(priceViolations(await playPrices(DEFAULT_CHOICES))).toEqual([])
  },
  PATIENCE_MS,
)
