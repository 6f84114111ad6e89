import type { Page } from 'playwright-core'
import { hold } from '../kit/page.ts'
import { until } from '../kit/until.ts'

/** Every 64 pixels from a watch to where the page grows no wider, and a wide screen. */
export const WIDTHS: readonly number[] = [...Array.from({ length: 20 }, (_, at) => 256 + 64 * at), 1920]
/** 1280 by 1024 pixels at 400 per cent (WCAG 1.4.10). */
const ZOOMED = { width: 320, height: 256 }
const HEIGHT = 900
export const MODULES = /\/assets\/[^/]*\.js$/

/** Elements that are wider than the window. @param size of the text */
export async function sidewaysFaults(
  page: Page,
  widths: readonly number[] = WIDTHS,
  size = '100%',
): Promise<string[]> {
  const faults = await atWidths(page, widths, () => page.evaluate(sideways, size))
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  return faults.map((fault) => `${fault} (text ${size})`)
}

/** The same in a window as small as one with a zoom of 400 per cent. */
export async function zoomFaults(page: Page): Promise<string[]> {
  await page.setViewportSize(ZOOMED)
  return page.evaluate(sideways, '100%')
}

/** A header in too many rows, a name that is cut though there is room, a menu that is elsewhere. */
export const headerFaults = (page: Page, widths: readonly number[]): Promise<string[]> =>
  atWidths(page, widths, () => page.evaluate(header))

/** Runs in the page. From 600 px on the header is one row, and two below. A watch may have more. */
function header(): string[] {
  const popover = document.querySelector(':popover-open')
  const menu = popover?.getBoundingClientRect()
  const opener = document.querySelector(`[popovertarget="${popover?.id}"]`)?.getBoundingClientRect()
  const isOut = menu !== undefined && (menu.left < 0 || menu.right > innerWidth)
  const faults = isOut ? ['the open menu sticks out of the window'] : []
  const isBelow = menu && opener && menu.left <= opener.right && menu.right >= opener.left
  if (menu && !isBelow) faults.push('the open menu is not below its button')
  const [name, live, ...others] = ['bdi', '[data-live]', 'a', 'nav a', '#account-button'].map((selector) =>
    document.querySelector<HTMLElement>(`header ${selector}`),
  )
  const isWhole = name && live && others.every((part) => part !== null)
  if (!isWhole) return faults
  const button = name.closest<HTMLElement>('p, button') ?? name
  const parts = [button, live, ...others].map((part) => part.getBoundingClientRect())
  const rows = new Set(parts.map(({ top, bottom }) => Math.round((top + bottom) / 32))).size
  if (innerWidth >= 320 && rows > (innerWidth < 600 ? 2 : 1)) faults.push(`the header has ${rows} rows`)
  const isCut = [name, button].some(
    (part) => getComputedStyle(part).textOverflow === 'ellipsis' && part.scrollWidth > part.clientWidth,
  )
  const room = live.getBoundingClientRect().left - button.getBoundingClientRect().right
  if (isCut && room >= 20) faults.push(`the name is cut, and ${Math.round(room)} px beside it are free`)
  return faults
}

/**
 * Opens a page whose script comes after the first paint. Where it draws new elements, the browser itself counts
 * no shift. @returns what then stands elsewhere
 */
export async function paintFaults(page: Page, url: string): Promise<string[]> {
  const release = await hold(page, MODULES)
  await page.goto(url, { waitUntil: 'commit' })
  await until(() => page.evaluate(isPainted))
  const before = await page.evaluate(topsOf)
  release()
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  const after = await page.evaluate(topsOf)
  return Object.entries(before)
    .filter(([name, top]) => Math.abs((after[name] ?? top) - top) > 1)
    .map(([name, top]) => `since the first paint of ${url} ${name} moved from ${top} to ${after[name]}`)
}

/** Runs in the page: how far from the top its parts are, in pixels. */
function topsOf(): Record<string, number> {
  const parts = [...document.querySelectorAll('#root :is(h2, label, button, summary)')]
  const shown = parts.filter((part) => part.checkVisibility({ visibilityProperty: true }))
  return Object.fromEntries(
    shown.map((part) => [`${part.tagName} ${part.textContent}`, part.getBoundingClientRect().top]),
  )
}

/** Runs in the page. */
const isPainted = (): boolean => performance.getEntriesByName('first-contentful-paint').length > 0

/** Texts that are cut off, stick out of their element, have one letter a line, overlap, or whose digits differ. */
export const textFaults = (page: Page, widths: readonly number[]): Promise<string[]> =>
  atWidths(page, widths, () => page.evaluate(texts))

async function atWidths(
  page: Page,
  widths: readonly number[],
  look: () => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    found.push(...(await look()).map((fault) => `${width} px: ${fault}`))
  }
  return found
}

/** Runs in the page. */
function sideways(size: string): string[] {
  const root = document.documentElement
  root.style.fontSize = size
  const { scrollWidth, clientWidth } = root
  if (scrollWidth <= clientWidth) return []
  const beyond = [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
    .map(({ tagName, className }) => `${tagName}.${className}`)
  return [`${scrollWidth} of ${clientWidth} pixels: ${[...new Set(beyond)].slice(-3).join(', ')}`]
}

/** Runs in the page. */
async function texts(): Promise<string[]> {
  // By then everything is in its place for the new width, and the browser holds no scroll position.
  scrollTo(0, 0)
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)

  interface Shown {
    words: string
    element: HTMLElement
    box: DOMRect
    lines: DOMRect[]
    em: number
  }
  const isClipped = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement))
  const isUnseen = (element: Element): boolean =>
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    element.closest('option, noscript') !== null ||
    isClipped(element)
  /** The right edge of a text that ends in three dots. */
  const endOfDots = (element: Element | null): number =>
    element === null
      ? Infinity
      : getComputedStyle(element).textOverflow === 'ellipsis'
        ? element.getBoundingClientRect().right
        : endOfDots(element.parentElement)
  const isScrolled = (element: Element | null): boolean =>
    element !== null &&
    element !== document.documentElement &&
    (/auto|scroll/.test(getComputedStyle(element).overflow) || isScrolled(element.parentElement))
  /** The word for "load again" is one, and no button or link breaks it. */
  const isBroken = (node: Node, element: Element): boolean => {
    const at = (node.textContent ?? '').indexOf('再読み込み')
    if (at === -1 || element.closest('a, button') === null) return false
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 5)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
  }
  const root = document.querySelector('dialog[open], :popover-open') ?? document.body
  const broken: string[] = []
  const shown: Shown[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement as HTMLElement
    const words = (node.textContent ?? '').trim()
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (words === '' || box.width < 2 || isUnseen(element)) continue
    if (isBroken(node, element)) broken.push(`"${words}" is broken in the middle of a word`)
    const end = endOfDots(element)
    const lines = [...range.getClientRects()].map(
      ({ x, y, right, height }) => new DOMRect(x, y, Math.min(right, end) - x, height),
    )
    shown.push({ words, element, box, lines, em: Number.parseFloat(getComputedStyle(element).fontSize) })
  }
  const name = (words: string) => `"${words.slice(0, 40)}"`
  /** In pixels. Blanks at the end of a line may stick out. */
  const outOf = ({ box, em }: Shown, of: Element): [across: number, down: number] => {
    const edge = of.getBoundingClientRect()
    return [
      Math.max(edge.left - box.left, box.right - edge.right) - 0.4 * em,
      Math.max(edge.top - box.top, box.bottom - edge.bottom),
    ]
  }
  const faultsOf = (text: Shown): string[] => {
    const { words, element, box, em } = text
    const faults =
      words.length > 6 && box.height > 2.5 * em && box.width < 3 * em ? ['stands in a column'] : []
    // A count that changes each second would move what stands beside it, in the fonts of most people.
    const { fontVariantNumeric, fontFamily } = getComputedStyle(element)
    const isEven = fontVariantNumeric.includes('tabular-nums') || fontFamily.includes('mono')
    if (/\d/.test(words) && !isEven) faults.push('has digits of different widths')
    for (let of: HTMLElement | null = element; of && of !== root; of = of.parentElement) {
      const { overflowX, overflowY, textOverflow, borderTopWidth, display } = getComputedStyle(of)
      // It can be scrolled to, or it ends in three dots.
      if (/auto|scroll/.test(overflowX + overflowY) || textOverflow === 'ellipsis') break
      const hasEdge = display !== 'inline' && Number.parseFloat(borderTopWidth) > 0
      const [across, down] = outOf(text, of)
      const isCut = (across > 2 && overflowX !== 'visible') || (down > 2 && overflowY !== 'visible')
      if (isCut || (hasEdge && Math.max(across, down) > 2))
        faults.push(`${isCut ? 'is cut by' : 'sticks out of'} ${of.tagName}.${of.className}`)
    }
    return faults.map((fault) => `${name(words)} ${fault}`)
  }
  const fixed = shown.filter(({ element }) => !isScrolled(element))
  const overlaps = fixed.flatMap((one, at) =>
    fixed.slice(at + 1).flatMap((other) => {
      const isNested = one.element.contains(other.element) || other.element.contains(one.element)
      // Line boxes are higher than their letters, and the parts of one sentence share lines.
      const isShared = isNested || one.element.parentElement === other.element.parentElement
      const isOver = one.lines.some((line) =>
        other.lines.some(
          (beside) =>
            Math.min(line.right, beside.right) - Math.max(line.left, beside.left) > 2 &&
            Math.min(line.bottom, beside.bottom) - Math.max(line.top, beside.top) >
              0.5 * Math.min(one.em, other.em),
        ),
      )
      return isOver && !isShared ? [`${name(one.words)} lies over ${name(other.words)}`] : []
    }),
  )
  return [...shown.flatMap(faultsOf), ...overlaps, ...broken]
}
