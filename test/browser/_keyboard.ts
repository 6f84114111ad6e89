// The only place that goes through a page by keyboard. It checks at every stop that the focus can be seen.
import type { Page } from 'playwright-core'

/** More stops than any page here has. */
const MOST_STOPS = 80

interface Stop {
  name: string
  outline: { style: string; width: number; contrast: number }
}

/**
 * Presses Tab until the element has the focus. Fails if a stop has no visible outline (WCAG 2.4.7, 2.4.13).
 * @returns how often it pressed
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<number> {
  const passed: string[] = []
  for (let stops = 1; stops <= MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab')
    await page.evaluate(returnToPage)
    const stop = await page.evaluate(focused)
    if (stop === undefined) continue
    checkOutline(stop)
    if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return stops
    passed.push(stop.name)
  }
  throw new Error(`No stop is named ${name}; the stops are ${[...new Set(passed)].join(' | ')}`)
}

/** The name of the focused element, whose outline is checked too. */
export async function focusedName(page: Page): Promise<string> {
  const stop = await page.evaluate(focused)
  if (stop === undefined) return ''
  checkOutline(stop)
  return stop.name
}

function checkOutline(stop: Stop): void {
  const [fault] = faultOf(stop)
  if (fault !== undefined) throw new Error(fault)
}

/** Nothing, if the focused element has an outline that can be seen (WCAG 2.4.7, 2.4.13). */
export async function outlineFault(page: Page): Promise<string[]> {
  const stop = await page.evaluate(focused)
  return stop === undefined ? [] : faultOf(stop)
}

const faultOf = ({ name, outline: { style, width, contrast } }: Stop): string[] =>
  style === 'none' || width < 2 || contrast < 3
    ? [`The focus on "${name}" is hard to see: ${style}, ${width} px, contrast ${contrast}`]
    : []

/** Runs in the page. Firefox moves on to its own controls, which a test cannot see; then the page begins again. */
function returnToPage(): void {
  if (!document.hasFocus()) document.querySelector('a')?.focus()
}

/** Runs in the page. */
function focused(): Stop | undefined {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body) return undefined
  const channels = (color: string): number[] => color.match(/[\d.]+/g)?.map(Number) ?? []
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = channels(color)
      .slice(0, 3)
      .map((channel) => channel / 255)
      .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  /** The background behind the outline, which lies outside the element. */
  const backgroundOf = (node: Element | null): string => {
    if (node === null) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(node)
    return channels(backgroundColor)[3] === 0 ? backgroundOf(node.parentElement) : backgroundColor
  }
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
  const [light = 0, dark = 0] = [outlineColor, backgroundOf(element.parentElement)]
    .map(luminance)
    .toSorted((one, other) => other - one)
  const label = (element as HTMLInputElement).labels?.[0]?.firstChild?.textContent
  return {
    name: (label ?? element.getAttribute('aria-label') ?? element.innerText).trim(),
    outline: {
      style: outlineStyle,
      width: Number.parseFloat(outlineWidth),
      contrast: (light + 0.05) / (dark + 0.05),
    },
  }
}
