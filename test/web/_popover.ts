// The popovers of the simulated browser, which has none. A closed one is hidden, and its button opens it.
const opened = new WeakSet<Element>()

function toggle({ target }: Event): void {
  const id = (target as Element).closest('[popovertarget]')?.getAttribute('popovertarget') ?? ''
  const menu = document.getElementById(id)
  if (menu && !opened.delete(menu)) opened.add(menu)
}

/** Once: the files of a worker share the simulated browser. */
export function addPopovers(): void {
  if ('showPopover' in HTMLElement.prototype) return
  document.addEventListener('click', toggle)
  Object.defineProperties(HTMLElement.prototype, {
    showPopover: {
      value(this: HTMLElement) {
        opened.add(this)
      },
    },
    hidePopover: {
      value(this: HTMLElement) {
        opened.delete(this)
      },
    },
    hidden: {
      get(this: HTMLElement) {
        return this.hasAttribute('hidden') || (this.popover !== null && !opened.has(this))
      },
      set(this: HTMLElement, value: boolean) {
        this.toggleAttribute('hidden', value)
      },
    },
  })
}
