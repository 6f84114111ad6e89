// Finds English in a page that must be Japanese.

/** Three Latin words in a row. Fewer may be a name. */
const SENTENCE = /[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/g
const ATTRIBUTES = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt']

/** In the texts of the page and in attributes that are read out, data included. */
export function latinSentences(): string[] {
  const elements = [...document.querySelectorAll('body, body *')]
  const attributes = elements.flatMap((element) => ATTRIBUTES.map((name) => element.getAttribute(name) ?? ''))
  return [document.body.textContent, ...attributes].flatMap((text) => text.match(SENTENCE) ?? [])
}
