import { expect, test } from 'vitest'
import { PRESETS } from '../../../src/sandbox/control/presets.ts'
import { openControl } from '../_control.ts'

const presetsOf = (page: string) => page.slice(page.indexOf('id="presets"')).split('</section>')[0] ?? ''

test('each preset lists everything that it sets, with one button', async () => {
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
