/** All of Intl: numbers, lists, spans and dates for one locale and zone, those of the reader. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Interval } from '../../contract/month.ts'
import type { Say } from '../../contract/verdict.ts'
import { type Language, type LanguageRow, LANGUAGES, localeOf } from './languages.ts'
import type { Dictionary, Formats } from './say.ts'

let locale: string | undefined
let { sentenceGap, justNow } = LANGUAGES.en as LanguageRow
/** Of dates. Without one Intl takes that of the computer. */
let zone: string | undefined
/** While the page is drawn as the server draws it, with all motion. */
let isServer = false

/** @param of the reader's own form of it (BCP 47) */
export function setLocale(language: Language, of = localeOf(language, navigator.languages)): void {
  locale = of
  ;({ sentenceGap, justNow } = LANGUAGES[language])
}

/** Until {@link formatAsBrowser}, in a browser too: it takes over only what it would draw itself. */
export function formatAsServer(of: string | undefined): void {
  zone = of
  isServer = true
}

export function formatAsBrowser(of?: string): void {
  zone = of
  isServer = false
}

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Joins those that are not empty. */
export const sentences = (...parts: readonly string[]): string => parts.filter(Boolean).join(sentenceGap)

/** A format is made once for each locale and options. */
function kept<Options, Format>(Of: new (locale?: string, options?: Options) => Format) {
  const formats = new Map<string, Format>()
  return (options?: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`
    const format = formats.get(key) ?? new Of(locale, options)
    formats.set(key, format)
    return format
  }
}
const numbers = kept(Intl.NumberFormat)
const dates = kept(Intl.DateTimeFormat)
const lists = kept(Intl.ListFormat)
const agos = kept(Intl.RelativeTimeFormat)

/** With the separators of the reader's language. */
export const numberText = (value: number): string => numbers().format(value)

/** "3", or "3–5", in one line. A range of two equal numbers would be "~3". */
export const rangeText = ({ low, high }: Interval): string =>
  low === high ? numberText(low) : numbers().formatRange(low, high).replace('～', '\u2060～\u2060')

/** "A, B, and C". */
export const listText = (items: readonly string[]): string => lists().format(items)

type Unit = 'second' | 'minute' | 'hour' | 'day'
const unitText = (count: number, unit: Unit, unitDisplay: 'short' | 'long' = 'long'): string =>
  numbers({ style: 'unit', unit, unitDisplay }).format(count)

/** The unit follows from the rounded number: 59.5 minutes are an hour. */
function spanOf(ms: number): [count: number, unit: Unit] {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS))
  if (minutes < 60) return [minutes, 'minute']
  const hours = Math.round(ms / HOUR_MS)
  return hours < 48 ? [hours, 'hour'] : [Math.round(ms / DAY_MS), 'day']
}

/** "3 minutes", "2 hours", "12 days". */
export const spanWords = (ms: number): string => unitText(...spanOf(ms))

const calm = (): boolean => !isServer && matchMedia('(prefers-reduced-motion: reduce)').matches

/** Whole seconds, in steps of ten if the reader asked for less motion. */
export function countdownSeconds(ms: number): number {
  const step = calm() ? 10 : 1
  return Math.max(0, Math.ceil(ms / SECOND_MS / step) * step)
}

/** "22 sec", "3 min 5 sec". */
export function countdownWords(ms: number): string {
  const seconds = countdownSeconds(ms)
  if (seconds < 100) return unitText(seconds, 'second', 'short')
  if (seconds >= 3600) return spanWords(ms)
  const minutes = unitText(Math.floor(seconds / 60), 'minute', 'short')
  return `${minutes} ${unitText(seconds % 60, 'second', 'short')}`
}

/** "just now", "12 seconds ago", "3 minutes ago". */
export function agoWords(ms: number): string {
  const step = calm() ? 10 : 1
  const seconds = Math.floor(ms / SECOND_MS / step) * step
  if (!(seconds >= 2)) return justNow
  const [count, unit] = seconds < 60 ? ([seconds, 'second'] as const) : spanOf(ms)
  return agos().format(-count, unit)
}

/** An instant, UNIX milliseconds, in the reader's zone unless the options name one. */
const dateText = (atMs: number, options: Intl.DateTimeFormatOptions): string =>
  dates({ timeZone: zone, ...options }).format(atMs)

/** The time of day has one form everywhere. */
const TIME_FORM = { hour: 'numeric', minute: '2-digit' } as const
const DAY_FORM = { day: 'numeric', month: 'short' } as const

/** As "21 Nov 2026, 15:00". */
export const dateWords = (atMs: number): string =>
  dateText(atMs, { year: 'numeric', ...DAY_FORM, ...TIME_FORM })

/** As "21 Nov". */
export const dayWords = (atMs: number): string => dateText(atMs, DAY_FORM)

/** A day of UTC, as "21 Nov". @param day an instant in it, or its RFC 3339 date */
export const utcDayWords = (day: number | string): string =>
  dateText(new Date(day).getTime(), { ...DAY_FORM, timeZone: 'UTC' })

/** As "Nov 2026". @param month as "2026-11" */
export const monthWords = (month: string): string =>
  dateText(Date.parse(month), { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** As "21 Nov, 15:00". */
export const instantWords = (atMs: number): string => dateText(atMs, { ...DAY_FORM, ...TIME_FORM })

/** "15:00" within half a day, when it can mean no other day; else as "21 Nov, 15:00". */
export const clockWords = (atMs: number, nowMs: number): string =>
  nowMs - atMs < DAY_MS / 2 ? dateText(atMs, TIME_FORM) : instantWords(atMs)

/** The day of a date or an instant (RFC 3339) that the service wrote. A date is the same in every zone. */
export const writtenDayWords = (written: string): string =>
  dateText(Date.parse(written), { dateStyle: 'medium', ...(!written.includes('T') && { timeZone: 'UTC' }) })

const formats: Formats = { number: numberText, countdown: countdownWords, ago: agoWords, day: dayWords }

/** The answer of a rule in the words of a dictionary. */
export const say = <Words>(dictionary: Dictionary<Words>, { key, params }: Say<Words>): string =>
  dictionary[key](params, formats)
