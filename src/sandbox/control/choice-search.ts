/** Finds choices by the words of their name, number, section, statement, reason and values. */
import { CHOICE_KEYS, type ChoiceKey, CHOICES } from '../choices/choices.ts'

/** The choices that have every word of the text; all if it has no word. */
export function findChoices(text: string): ReadonlySet<ChoiceKey> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return new Set(CHOICE_KEYS.filter((key) => words.every((word) => textOf(key).includes(word))))
}

function textOf(key: ChoiceKey): string {
  const { number, section, statement, why, values } = CHOICES[key]
  const variants = values.map(({ value, means }) => `${value} ${means}`)
  return [`u${number}`, key, `section ${section}`, statement, why, ...variants].join(' ').toLowerCase()
}
