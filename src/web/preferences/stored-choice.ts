/** The choices that a person has made in this browser, in its storage. What was not chosen is not there. */

const NAMES = ['language', 'theme', 'shortcuts'] as const
type Name = (typeof NAMES)[number]
const keyOf = (name: Name): string => `plimsoll.${name}`

/** Whether a key of the storage is that of a choice. */
export const isChoiceKey = (key: string | null): boolean => NAMES.some((name) => keyOf(name) === key)

/** Absent where nothing was chosen, or the storage is refused. */
export function storedChoice<Value extends string>(
  name: Name,
  isValue: (stored: string) => stored is Value,
): Value | undefined {
  try {
    const stored = localStorage.getItem(keyOf(name))
    return stored !== null && isValue(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

/** @param value absent: the choice is removed. Where storage is refused it lasts as long as the page. */
export function storeChoice(name: Name, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), value)
  } catch {
    // It lasts as long as the page.
  }
  noteChoices()
}

const COOKIE = '__Host-plimsoll-choices'
const YEAR_SECONDS = 31_536_000

/** With this cookie the server holds the first paint until public/assets/start-*.js has set what was chosen. */
export function noteChoices(): void {
  const isAny = NAMES.some(
    (name) => storedChoice(name, (value): value is string => value !== '') !== undefined,
  )
  const isNoted = document.cookie.includes(`${COOKIE}=`)
  if (isAny || isNoted)
    document.cookie = `${COOKIE}=1; Path=/; Secure; SameSite=Lax; Max-Age=${isAny ? YEAR_SECONDS : 0}`
}
