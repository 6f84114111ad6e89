import { expect, test } from 'vitest'
import { openControl } from '../_control.ts'

test('both pages link to each other, mark the open one, and need no script', async () => {
  const { page } = openControl()
  for (const [path, current] of [
    ['/', './'],
    ['/choices', './choices'],
  ] as const) {
    const text = await page(path)
    for (const link of ['./', './choices']) expect(text).toContain(`href="${link}"`)
    expect(text).toContain(`href="${current}" aria-current="page"`)
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i)
  }
})

test('every form has the csrf token', async () => {
  const { page } = openControl()
  for (const path of ['/', '/choices']) {
    const text = await page(path)
    const forms = text.match(/<form.*?<\/form>/gs) ?? []
    expect(forms.length).toBeGreaterThan(2)
    for (const form of forms) expect(form).toMatch(/name="csrf_token" value="[\w-]{43}"/)
  }
})

test('a refused form shows the reason, and a link back', async () => {
  const answer = await openControl().press('/choices', { choice: 'deny', value: 'never' })
  const text = await answer.text()
  expect(answer.status).toBe(400)
  expect(text).toContain('deny cannot be &quot;never&quot;')
  expect(text).toContain('href="./"')
})
