/** The cookie of choices. If the browser refuses cookies, a choice lasts as long as the page. */
import { type Choices, readChoices, writeChoices } from '../../contract/choices.ts'
import { choicesCookieName, plainCookiePrefix } from '../../contract/cookie-name.ts'

const YEAR_SECONDS = 31_536_000

export function storedChoices(): Choices {
  const name = `${choicesCookieName(location.origin)}=`
  const pair = document.cookie.split('; ').find((one) => one.startsWith(name))
  return readChoices(pair?.slice(name.length))
}

/** Those that are not named stay. */
export function storeChoices(changed: Choices): void {
  const { origin } = location
  const value = writeChoices({ ...storedChoices(), ...changed })
  const secure = plainCookiePrefix(origin) === undefined ? 'Secure; ' : ''
  const attributes = `Path=/; ${secure}SameSite=Lax; Max-Age=${YEAR_SECONDS}`
  document.cookie = `${choicesCookieName(origin)}=${value}; ${attributes}`
}
