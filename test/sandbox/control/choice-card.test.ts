import { expect, test } from 'vitest'
import { CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { openControl } from '../_control.ts'

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
