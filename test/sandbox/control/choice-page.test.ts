import { describe, expect, test } from 'vitest'
import { CHOICES, type Choices, DEFAULT_CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { CONTRADICTIONS } from '../../../src/sandbox/choices/contradiction.ts'
import { findChoices } from '../../../src/sandbox/control/choice-search.ts'
import { isApplied, PRESETS } from '../../../src/sandbox/control/presets.ts'
import { openControl, stateOf } from '../_control.ts'

const unescaped = (html: string) =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')

const cardOf = (page: string, name: string) =>
  page.slice(page.indexOf(`<section id="${name}"`)).split('</section>')[0] ?? ''

describe('the page of choices', () => {
  test('has all 84: number, section, statement, why, and every value', async () => {
    const page = unescaped(await openControl().page('/choices'))
    for (const [key, { number, section, statement, why, values }] of Object.entries(CHOICES)) {
      const row = cardOf(page, key)
      expect(row).toContain(`U${number} <code>${key}</code>`)
      for (const text of [section === 'none' ? 'in no section' : section, statement, why])
        expect(row).toContain(text)
      for (const { means } of values) expect(row).toContain(means)
    }
    expect(page.match(/<section id=/g)).toHaveLength(84)
  })

  test('changes a choice to each of its values, and shows the chosen one', async () => {
    const opened = openControl()
    for (const key of ['deny', 'rotation', 'tz', 'monthly', 'slow'] as const)
      for (const { value } of CHOICES[key].values) {
        const answer = await opened.press('/choices', { choice: key, value })
        expect([answer.status, answer.headers.get('Location')]).toEqual([303, `choices#${key}`])
        const page = await opened.page('/choices')
        const row = cardOf(page, key)
        expect(/value="([^"]+)" aria-pressed="true"/.exec(row)?.[1]).toBe(value)
      }
  })

  test('has every choice in a folded group with its changes, and a press keeps the group open', async () => {
    const opened = openControl({ choices: { deny: 'page' } })
    const folded = await opened.page('/choices')
    expect(folded).not.toMatch(/<details class="card group"[^>]* open/)
    expect(folded).toContain('1 changed')
    const [, query = ''] =
      /action="([^"]+)"><input[^>]*><input type="hidden" name="choice" value="rotation"/.exec(folded) ?? []
    const answer = await opened.press(`/choices${query}`, { choice: 'rotation', value: 'same' })
    expect(answer.headers.get('Location')).toBe('choices?open=tokens#rotation')
    const page = await opened.page('/choices?open=tokens')
    expect(page.match(/<details class="card group"[^>]* open/g)).toEqual([
      expect.stringContaining('group-tokens'),
    ])
  })

  test('lists the changed choices first, with a button that resets one of them', async () => {
    const opened = openControl({ choices: { deny: 'page', rotation: 'same' } })
    const page = await opened.page('/choices')
    const changed = page.slice(page.indexOf('id="changed"')).split('</section>')[0] ?? ''
    expect(changed).toMatch(/<span class="chip">2<.*a page of the service.*the same one again/s)
    expect(page.indexOf('id="changed"')).toBeLessThan(page.indexOf('<search>'))
    const [, value = ''] = /value="deny"\/><button[^>]* value="([^"]+)"/.exec(changed) ?? []
    await opened.press('/choices', { choice: 'deny', value })
    expect(opened.control.choices()).toMatchObject({ deny: 'redirect_access_denied', rotation: 'same' })
  })

  test('a search shows the matching choices, and a change goes back to the search', async () => {
    const opened = openControl()
    const page = await opened.page('/choices?q=Refresh+TOKEN')
    expect(page).toContain('<section id="rotation"')
    expect(page).not.toContain('<section id="deny"')
    expect(page.match(/<details class="card group"/g)).toEqual(
      page.match(/<details class="card group"(?=[^>]* open)/g),
    )
    const answer = await opened.press('/choices?q=Refresh+TOKEN', { choice: 'rotation', value: 'same' })
    expect(answer.headers.get('Location')).toBe('choices?q=Refresh+TOKEN#rotation')
    const none = await opened.page('/choices?q=<b>nothing')
    expect(none).toContain('0 of 84 choices have')
    expect(none).not.toContain('<b>')
  })

  test('resets all to their default', async () => {
    const opened = openControl()
    const before = stateOf(opened)
    await opened.press('/choices', { choice: 'deny', value: 'page' })
    await opened.press('/choices', { do: 'defaults' })
    expect(stateOf(opened)).toEqual(before)
  })

  test.each([{}, { choice: 'deny' }, { choice: '<b>', value: 'x' }, { choice: '__proto__', value: 'x' }])(
    'refuses %o',
    async (fields: Record<string, string>) => {
      const opened = openControl()
      const before = stateOf(opened)
      const answer = await opened.press('/choices', fields)
      expect(answer.status).toBe(400)
      expect(await answer.text()).not.toContain('<b>')
      expect(stateOf(opened)).toEqual(before)
    },
  )

  test('shows the contradictions of the document and the choices that settle them', async () => {
    const page = unescaped(await openControl().page('/choices'))
    for (const { statement, settledBy } of CONTRADICTIONS) {
      expect(page).toContain(statement)
      for (const key of settledBy) expect(page).toMatch(new RegExp(`href="\\?open=\\w+#${key}"`))
    }
  })
})

test('a choice has a form, or one value and the reason for it', async () => {
  const page = await openControl().page('/choices')
  for (const [name, { values }] of Object.entries(CHOICES)) {
    const card = cardOf(page, name)
    const found = [card.includes(`name="choice" value="${name}"`), card.includes('It cannot be changed:')]
    expect([name, ...found]).toEqual([name, values.length > 1, values.length === 1])
  }
})

test.each([
  ['U24', ['rotation']],
  ['ROTATION', ['rotation']],
  ['replaced token', ['reuse']],
  ['seconds_35', ['slow']],
  ['section 8.1 smaller', ['downgrade']],
  ['ropery', []],
])('a search for %j finds %j', (text, keys) => expect([...findChoices(text)]).toEqual(keys))

const NAMES = Object.keys(PRESETS)

describe.each(NAMES)('the preset %s', (name) => {
  const { choices = {}, faults = [] } = PRESETS[name] ?? {}

  test('changes only the values that it lists, and the default takes it back', async () => {
    for (const [key, value] of Object.entries(choices) as [keyof Choices, string][])
      expect(value).not.toBe(DEFAULT_CHOICES[key])
    const opened = openControl()
    const is = () => isApplied(contextOf(opened), PRESETS[name] ?? { name: '', means: '' })
    expect(is()).toBe(false)
    const before = stateOf(opened)
    expect((await opened.json('POST', '/presets', { name })).status).toBe(204)
    expect(is()).toBe(true)
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
    expect(is()).toBe(false)
    const { months, windows, ...rest } = stateOf(opened)
    expect(rest).toMatchObject({ choices: before.choices, faults: [] })
    expect(Object.values(months).map(({ count }) => count)).toEqual([0, 0])
    expect(windows).toEqual({})
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
