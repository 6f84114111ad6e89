// The contrast of marks that are not text, from real pixels: 3:1 with their background (WCAG 1.4.11, D6).
import type { ElementHandle, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aPartOf } from './_extent.ts'
import { drawnMark, edgeContrast, HIDDEN, NO_OUTLINE, NO_PATTERN, NO_TEXT, type Without } from './_pixels.ts'
import type { Place } from './_state.ts'
import { openPlace, state } from './_states.ts'

const LEAST = 3
const LEAST_OF_TEXT = 4.5

let place: Place
beforeAll(async () => {
  place = await openPlace({ scale: 2 })
})

const THEMES = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours', { forcedColors: 'active' }],
] as const

async function inThemes(page: Page, look: (theme: string) => Promise<string[]>): Promise<string[]> {
  const faults: string[] = []
  for (const [theme, media] of THEMES) {
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...media })
    faults.push(...(await look(theme)).map((fault) => `${theme}: ${fault}`))
  }
  return faults
}

/** Marks by their selectors, and the property that removes each. */
type Marks = readonly (readonly [selector: string, without: Without])[]
const SHAPE: Marks[number] = ['.icons_shape', HIDDEN]
const RINGS: Marks = ['left', 'countdown', 'unmeasured'].map((name) => [`.minute_${name}`, HIDDEN])

const OWN: Marks[number] = ['[role=meter] .bar_own', HIDDEN]

const hide = (page: Page, selector: string): Promise<unknown> =>
  page.locator(selector).evaluateAll((all) => {
    for (const one of all) (one as SVGElement).style.visibility = 'hidden'
  })

interface Measured {
  marks: Marks
  edges?: readonly string[]
  before?: (page: Page) => Promise<unknown>
}

const PLACES: Record<string, Measured> = {
  organization: {
    marks: [SHAPE, ...RINGS, ['[role=meter] .bar_unknown', NO_PATTERN], OWN],
    // The arc of what is left lies over that of requests in flight.
    before: (page) => hide(page, '.minute_flying'),
    edges: ['input[name=count]'],
  },
  'minute used up': { marks: [SHAPE] },
  readings: {
    marks: [SHAPE, ['[role=meter] .bar_others', HIDDEN], OWN],
  },
  'month low': { marks: [SHAPE, ['[role=meter] .bar_others', HIDDEN]] },
  ledger: {
    before: async (page) => {
      await page.evaluate(async () => {
        const headers = { 'X-CSRF': '1', 'Content-Type': 'application/json' }
        const { readings } = await (await fetch('/bff/readings', { headers })).json()
        // The points of earlier readings would overlap.
        for (const { id } of readings) await fetch(`/bff/readings/${id}`, { method: 'DELETE', headers })
        const body = JSON.stringify({ count: 93 })
        await fetch('/bff/readings', { method: 'POST', headers, body })
      })
      await page.reload()
      // At the newest point its line lies on the fall of the requests left.
      await page.locator('.chart_plot input').press('Home')
    },
    marks: [
      ...['left', 'even', 'chosen'].map((name) => [`svg .chart_${name}`, HIDDEN] as const),
      ['li .chart_reading', HIDDEN],
      ['.chart_dot', HIDDEN],
      ['.ledger_bar > :not([data-maybe])', HIDDEN],
    ],
    edges: ['.ledger_bar > [data-maybe]'],
  },
}

/** A part of a bar without requests has no width. */
async function shownOf(page: Page, selector: string): Promise<ElementHandle[]> {
  const all = await page.locator(selector).elementHandles()
  const shown = await Promise.all(
    all.map((one) =>
      one.evaluate((node) => {
        const { width, height } = (node as Element).getBoundingClientRect()
        const isLine = node instanceof SVGElement && width + height > 2
        return (
          (isLine || Math.min(width, height) > 1) &&
          (node as Element).checkVisibility({ visibilityProperty: true })
        )
      }),
    ),
  )
  return all.filter((_, at) => shown[at])
}

test.each(aPartOf(Object.keys(PLACES), 1))('%s: each drawn mark has a contrast of 3:1 (D6)', async (name) => {
  const { marks, edges = [], before } = PLACES[name] ?? { marks: [] }
  const page = await state(name).open(place)
  await before?.(page)
  const measured: string[] = []
  const judge = (what: string, contrast: number): string[] => {
    measured.push(`${what} has ${contrast.toFixed(2)}`)
    return contrast < LEAST ? measured.slice(-1) : []
  }
  const faults = await inThemes(page, async () => {
    const found: string[] = []
    for (const [selector, without] of marks) {
      const all = await shownOf(page, selector)
      if (all.length === 0) found.push(`${selector} is not there`)
      for (const mark of all) found.push(...judge(selector, (await drawnMark(page, mark, without)).contrast))
    }
    for (const selector of edges)
      for (const element of await shownOf(page, selector))
        found.push(...judge(`the edge of ${selector}`, await edgeContrast(page, element)))
    return found
  })
  expect(faults).toEqual([])
  expect(measured.length).toBeGreaterThan(3)
  await page.close()
})

test('a pressed button, still under the pointer, can be read (WCAG 1.4.3)', async () => {
  // Once a count is known, the button is filled.
  await (await state('readings').open(place)).close()
  const { open, end } = state('press under way')
  const page = await open(place)
  const faults = await inThemes(page, async () => {
    const button = page.getByRole('button', { name: /^Reading…/ })
    await button.hover()
    const [words] = await button.elementHandles()
    const seen = words && (await drawnMark(page, words, NO_TEXT))
    return seen && seen.contrast >= LEAST_OF_TEXT ? [] : [`its words have ${seen?.contrast.toFixed(2)}`]
  })
  expect(faults).toEqual([])
  await end?.(page, place)
  await page.close()
})

test.each(aPartOf(['sign-in', 'organization', 'ledger', 'shortcuts'], 0))(
  '%s: the outline of each keyboard stop has a contrast of 3:1, and is not cut off (WCAG 2.4.13)',
  async (name) => {
    const { open, end } = state(name)
    const page = await open(place)
    const faults = await inThemes(page, () => outlineFaults(page))
    expect(faults).toEqual([])
    await end?.(page, place)
    await page.close()
  },
)

const MOST_STOPS = 80

async function outlineFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  const focused = page.locator(':focus')
  await page.evaluate(() => {
    document.body.focus()
    ;(document.activeElement as HTMLElement | null)?.blur()
  })
  const seen = new Set<string>()
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab')
    const [stop] = await focused.elementHandles()
    if (stop === undefined) continue
    const { name, kind, size } = await stop.evaluate((node) => {
      const element = node as HTMLElement
      const { width, height } = element.getBoundingClientRect()
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      const background = getComputedStyle(element.closest('section, header, footer, main') ?? element)
      const kind = [
        element.tagName,
        element.className,
        element.getAttribute('data-kind'),
        element.getAttribute('aria-disabled'),
        background.backgroundColor,
      ]
      return { name: name.slice(0, 30), kind: kind.join(' '), size: width + height }
    })
    // One of each kind on each background.
    if (seen.has(kind)) continue
    seen.add(kind)
    const { contrast, area } = await drawnMark(page, stop, NO_OUTLINE)
    // At least half of an outline that is 3 pixels wide.
    if (contrast < LEAST || area < 2 * size * 3 * 0.5)
      faults.push(`"${name}" (${kind}) has ${contrast.toFixed(2)} on ${Math.round(area)} pixels`)
  }
  return faults
}
