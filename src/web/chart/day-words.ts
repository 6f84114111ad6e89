import { dateText } from '../text/language.ts'

/** A day of UTC in the reader's language, as "21 Nov". @param day an instant in it, or its RFC 3339 date */
export const utcDayWords = (day: number | string): string =>
  dateText(new Date(day).getTime(), { day: 'numeric', month: 'short', timeZone: 'UTC' })
