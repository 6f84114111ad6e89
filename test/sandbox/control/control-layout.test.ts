import { expect, test } from 'vitest'
import { CONTROL_STYLE } from '../../../src/sandbox/control/control-style.ts'
import { STYLE } from '../../../src/sandbox/http/style.ts'
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

test('every form that changes something has the csrf token', async () => {
  const { page } = openControl()
  for (const path of ['/', '/choices']) {
    const text = await page(path)
    const forms = text.match(/<form method="post".*?<\/form>/gs) ?? []
    expect(forms.length).toBeGreaterThan(2)
    for (const form of forms) expect(form).toMatch(/name="csrf_token" value="[\w-]{43}"/)
  }
})

test('every page has a title, one heading of the first level, and a link to the app', async () => {
  const { page } = openControl()
  for (const path of ['/', '/choices']) {
    const text = await page(path)
    expect(text).toMatch(/<title>[A-Z][^<]+ · Service sandbox<\/title>/)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text).toContain('<a href="http://localhost:3000/">Open Plimsoll</a>')
  }
})

test('only an application like Plimsoll gets a link', async () => {
  const opened = openControl()
  const [application] = opened.seed.applications
  for (const redirect_uri of [
    'javascript:alert(1)//callback',
    'com.example:/callback',
    'https://a.example/b',
  ]) {
    opened.control.seed({ applications: [{ ...application, redirect_uri }] })
    expect(await opened.page()).not.toContain('Open Plimsoll')
  }
})

test('a refused form shows the reason and a link back', async () => {
  const answer = await openControl().press('/choices', { choice: 'deny', value: 'never' })
  const text = await answer.text()
  expect(answer.status).toBe(400)
  expect(text).toContain('deny cannot be &quot;never&quot;')
  expect(text).toContain('href="./"')
})

test('the control plane has the stylesheet of all pages and no colours of its own', async () => {
  expect(await (await openControl().ask('/style.css')).text()).toBe(STYLE + CONTROL_STYLE)
  expect(CONTROL_STYLE).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(|url\(/i)
})
