import { describe, expect, test } from 'vitest'
import { CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { CONTRADICTIONS } from '../../../src/sandbox/choices/contradiction.ts'
import { findChoices } from '../../../src/sandbox/control/choice-search.ts'
import { openControl, stateOf } from '../_control.ts'

const unescaped = (html: string) =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')

describe('the page of choices', () => {
  test('has all 84: number, section, statement, why, and every value', async () => {
    const page = unescaped(await openControl().page('/choices'))
    for (const [key, { number, section, statement, why, values }] of Object.entries(CHOICES)) {
      const row = page.slice(page.indexOf(`<section id="${key}"`)).split('</section>')[0] ?? ''
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
        const row = page.slice(page.indexOf(`<section id="${key}"`)).split('</section>')[0] ?? ''
        expect(/value="([^"]+)" aria-pressed="true"/.exec(row)?.[1]).toBe(value)
      }
  })

  test('has a form for every choice with more than one value', async () => {
    const page = await openControl().page('/choices')
    for (const [key, choice] of Object.entries(CHOICES))
      expect([key, page.includes(`name="choice" value="${key}"`)]).toEqual([key, choice.values.length > 1])
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

  test.each([
    {},
    { choice: 'deny' },
    { choice: 'deny', value: 'x' },
    { choice: '<b>', value: 'x' },
    { choice: '__proto__', value: 'x' },
  ])('refuses %o', async (fields: Record<string, string>) => {
    const opened = openControl()
    const before = stateOf(opened)
    const answer = await opened.press('/choices', fields)
    expect(answer.status).toBe(400)
    expect(await answer.text()).not.toContain('<b>')
    expect(stateOf(opened)).toEqual(before)
  })

  test('shows the contradictions of the document and the choices that settle them', async () => {
    const page = unescaped(await openControl().page('/choices'))
    for (const { statement, settledBy } of CONTRADICTIONS) {
      expect(page).toContain(statement)
      for (const key of settledBy) expect(page).toMatch(new RegExp(`href="\\?open=\\w+#${key}"`))
    }
  })
})

const cardOf = (page: string, name: string) =>
  page.slice(page.indexOf(`<section id="${name}"`)).split('</section>')[0] ?? ''

test('a card marks a choice that is not at its default', async () => {
  const page = await openControl({ choices: { deny: 'page' } }).page('/choices')
  expect(cardOf(page, 'deny')).toContain('>changed<')
  expect(cardOf(page, 'deny')).toMatch(/value="page" aria-pressed="true"/)
  expect(cardOf(page, 'deny').match(/aria-pressed="true"/g)).toHaveLength(1)
  expect(cardOf(page, 'redir')).not.toContain('>changed<')
})

test('a choice with one value has no form, and a reason', async () => {
  const page = await openControl().page('/choices')
  const fixed = Object.entries(CHOICES).filter(([, choice]) => choice.values.length === 1)
  expect(fixed.length).toBeGreaterThan(0)
  for (const [name] of fixed) {
    expect(cardOf(page, name)).not.toContain('<form')
    expect(cardOf(page, name)).toContain('It cannot be changed:')
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

test('a search without words finds all, and every word counts', () => {
  expect(findChoices(' ').size).toBe(84)
  expect(findChoices('token').size).toBeGreaterThan(findChoices('token 401').size)
  expect(findChoices('token 401').size).toBeGreaterThan(0)
})
