import { describe, expect, test } from 'vitest'
import { CHOICES, type Choices, DEFAULT_CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { isApplied, PRESETS } from '../../../src/sandbox/control/presets.ts'
import { openControl, stateOf } from '../_control.ts'

const NAMES = Object.keys(PRESETS)

describe.each(NAMES)('the preset %s', (name) => {
  const { choices = {}, faults = [] } = PRESETS[name] ?? {}

  test('changes only the values that it lists, and the default takes it back', async () => {
    const opened = openControl()
    const before = stateOf(opened)
    expect((await opened.json('POST', '/presets', { name })).status).toBe(204)
    const after = stateOf(opened)
    expect(after.choices).toEqual({ ...before.choices, ...choices })
    expect(after.faults).toEqual(faults)
    expect({ ...after, choices: {}, faults: [], months: {} }).toEqual({
      ...before,
      choices: {},
      faults: [],
      months: {},
    })
    await opened.json('POST', '/presets', { name: 'default' })
    const { months, windows, ...rest } = stateOf(opened)
    expect(rest).toMatchObject({ choices: before.choices, faults: [] })
    expect(Object.values(months).map(({ count }) => count)).toEqual([0, 0])
    expect(windows).toEqual({})
  })

  test('sets no choice to its default, and has values that exist', () => {
    for (const [key, value] of Object.entries(choices) as [keyof Choices, string][]) {
      expect(value).not.toBe(DEFAULT_CHOICES[key])
      expect(CHOICES[key].values.map((variant): string => variant.value)).toContain(value)
    }
  })

  test('counts as applied after a press, and not before', () => {
    const opened = openControl()
    const is = () => isApplied(contextOf(opened), PRESETS[name] ?? { name: '', means: '' })
    expect(is()).toBe(false)
    opened.control.applyPreset(name)
    expect(is()).toBe(true)
    opened.control.applyPreset('default')
    expect(is()).toBe(false)
  })
})

/** The part that `isApplied` reads. */
const contextOf = (opened: ReturnType<typeof openControl>) => {
  const state = stateOf(opened)
  return { state, choices: state.choices, nowMs: opened.control.clock.nowMs() }
}

test('the strictest service still serves a client that does everything right', async () => {
  const opened = openControl()
  opened.control.applyPreset('strictest')
  const headers = await opened.bearer()
  expect((await opened.send('/organizations/1001', { headers })).status).toBe(200)
})

test('with the month used up, no request is served until the next month (8.3)', async () => {
  const opened = openControl()
  opened.control.applyPreset('month_used_up')
  const status = async (id?: number) =>
    (await opened.send('/organizations', { headers: opened.key(id) })).status
  expect([await status(), await status(2002)]).toEqual([429, 200])
  opened.control.clock.toMonthEnd()
  expect(await status()).toBe(200)
})

test('a hostile network cuts, loses and replaces answers, and in the end every answer arrives', async () => {
  const opened = openControl()
  opened.control.applyPreset('hostile_network')
  const outcomes: (number | string)[] = []
  const read = () =>
    opened.send('/organizations/1001', { headers: opened.key() }).then(
      ({ status }) => status,
      () => 'broken',
    )
  for (let nth = 0; nth < 10; nth += 1) outcomes.push(await read())
  expect(new Set(outcomes)).toEqual(new Set(['broken', 502, 200]))
  expect(outcomes.slice(-2)).toEqual([200, 200])
})

test('the list of presets can be read', async () => {
  const list = (await (await openControl().ask('/presets')).json()) as object
  expect(Object.keys(list)).toEqual(NAMES)
})

const presetsOf = (page: string) => page.slice(page.indexOf('id="presets"')).split('</section>')[0] ?? ''

test('each preset lists everything that it sets, and has one button', async () => {
  const cards = presetsOf(await openControl().page('/choices'))
  for (const [name, { name: title, choices = {}, faults = [], usage }] of Object.entries(PRESETS)) {
    const card = cards.slice(cards.indexOf(`<h3>${title}`)).split('</form></li>')[0] ?? ''
    for (const key of Object.keys(choices)) expect(card).toContain(`#${key}"`)
    for (const { kind } of faults) expect(card).toContain(`<code>${kind}</code>`)
    expect(card.includes('all requests of this month are used')).toBe(usage === 'whole_month')
    expect(card.match(/<button/g)).toHaveLength(1)
    expect(card).toContain(`name="preset" value="${name}"`)
  }
})

test('a press applies a preset and marks it; Default takes it back', async () => {
  const opened = openControl()
  const answer = await opened.press('/choices', { preset: 'month_used_up' })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, 'choices#presets'])
  expect(presetsOf(await opened.page('/choices'))).toMatch(/Month used up <span class="chip">applied/)
  await opened.press('/choices', { preset: 'default' })
  expect(presetsOf(await opened.page('/choices'))).not.toContain('applied<')
  expect((await opened.press('/choices', { preset: 'nothing' })).status).toBe(400)
})
