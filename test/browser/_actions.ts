// Finds every action on a page, and checks that the keyboard alone can reach and fire it.
import type { Page } from 'playwright-core'
import { outlineFault } from './_keyboard.ts'

/** A date field has a stop for each of its parts. */
const MOST_STOPS = 8

/**
 * Goes by Tab through a page, firing each action without effect.
 * @returns those not reached or fired, and those whose focus cannot be seen
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const names = await page.evaluate(numberActions)
  const reached: number[] = []
  const unseen: string[] = []
  let stopsAfter = 0
  // If a date field comes last, its other parts follow.
  for (let stops = 0; stops < MOST_STOPS * names.length && stopsAfter < MOST_STOPS; stops += 1) {
    if (reached.length === names.length) stopsAfter += 1
    await page.keyboard.press('Tab')
    const [stop, unclear] = await Promise.all([page.evaluate(focusedAction), outlineFault(page)])
    if (stop === undefined) await page.evaluate(returnToTop)
    // Each part of a date is a stop.
    if (stop === undefined || (reached.includes(stop.at) && !stop.isDate)) continue
    if (!reached.includes(stop.at)) {
      reached.push(stop.at)
      unseen.push(...unclear)
    }
    for (const key of stop.keys) await page.keyboard.press(key)
  }
  const { fired, others } = await page.evaluate(foundActions)
  const without = (found: readonly number[]): string[] => names.filter((_, at) => !found.includes(at))
  const isInOrder = reached.every((at, nth) => nth === 0 || at > (reached[nth - 1] ?? 0) || at === 0)
  return [
    ...without(reached).map((name) => `not reached: ${name}`),
    ...without(fired).map((name) => `not fired: ${name}`),
    ...unseen,
    ...others.map((name) => `for the mouse alone: ${name}`),
    ...(isInOrder ? [] : [`another order than the page: ${reached.map((at) => names[at]).join(' | ')}`]),
  ]
}

/** Runs in the page. Firefox without toolbars leaves the page after its last stop, and returns to its end. */
function returnToTop(): void {
  if (!document.hasFocus()) getSelection()?.setPosition(document.body, 0)
}

/** Runs in the page: numbers the operable elements, and stops their events before the page gets them. */
function numberActions(): string[] {
  const root = document.querySelector('dialog[open]') ?? document.body
  const native =
    'a[href], button, input:not([type=hidden], [type=radio], [readonly]), select, textarea, summary, [tabindex="0"]'
  // The arrow keys go through a menu, and through a group of radio buttons, which the browser itself handles.
  const actions = [...root.querySelectorAll<HTMLElement>(native)].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [role=menuitem]'),
  )
  for (const [at, element] of actions.entries()) element.dataset['action'] = String(at)
  const fired = new Set<number>()
  const take = (event: Event): void => {
    const target = (event.target as Element).closest<HTMLElement>('[data-action]')
    if (target) fired.add(Number(target.dataset['action']))
    event.stopImmediatePropagation()
    if (event.type !== 'input') event.preventDefault()
  }
  const types = ['click', 'input', 'change', 'submit']
  for (const type of types) addEventListener(type, take, true)
  const popover = document.querySelector<HTMLElement>(':popover-open')
  const restore = (): void => {
    for (const type of types) removeEventListener(type, take, true)
    for (const element of actions) delete element.dataset['action']
    // A menu closes behind the focus.
    if (popover?.isConnected && !popover.matches(':popover-open')) popover.showPopover()
  }
  Object.assign(globalThis, { fired, restore })
  // An element that can only be scrolled has no action to fire.
  for (const element of actions.filter(({ tagName }) => tagName === 'SECTION'))
    fired.add(Number(element.dataset['action']))
  return actions.map((element) =>
    `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent ?? ''}`.slice(0, 60),
  )
}

/** Runs in the page: the action that has the focus, and the keys that fire it; a choice is reset. */
function focusedAction(): { at: number; keys: string[]; isDate: boolean } | undefined {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element.dataset['action'] === undefined) return undefined
  const { tagName } = element
  const type = element instanceof HTMLInputElement ? element.type : ''
  const isAtEnd = element instanceof HTMLSelectElement && element.selectedIndex === element.length - 1
  const keys: Record<string, string[]> = {
    A: ['Enter'],
    BUTTON: ['Enter'],
    SUMMARY: ['Enter'],
    TEXTAREA: ['1'],
    SELECT: isAtEnd ? ['ArrowUp', 'ArrowDown'] : ['ArrowDown', 'ArrowUp'],
  }
  const isDate = type === 'datetime-local'
  const fields: Record<string, string> = {
    checkbox: 'Space',
    range: 'ArrowLeft',
    'datetime-local': 'ArrowUp',
  }
  const field = tagName === 'INPUT' ? [fields[type] ?? '1'] : []
  return { at: Number(element.dataset['action']), keys: keys[tagName] ?? field, isDate }
}

/**
 * Runs in the page, which can be used again afterwards.
 * @returns the fired actions, and the elements with a mouse handler but nothing to press by key
 */
function foundActions(): { fired: number[]; others: string[] } {
  ;(Reflect.get(globalThis, 'restore') as () => void)()
  const fired = [...(Reflect.get(globalThis, 'fired') as Set<number>)]
  const others = [...document.querySelectorAll('body *')]
    .filter((element) => {
      const name = Object.keys(element).find((key) => key.startsWith('__reactProps$'))
      const props = (name === undefined ? {} : Reflect.get(element, name)) as Record<string, unknown>
      const isForMouse = ['onClick', 'onDoubleClick', 'onMouseDown', 'onPointerDown'].some((on) => props[on])
      return isForMouse && !element.matches('a[href], button, input, select, summary, label')
    })
    .map(({ tagName, className }) => `${tagName}.${className}`)
  return { fired, others }
}
