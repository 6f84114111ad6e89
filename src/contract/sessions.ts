/** The answer about a person's own sessions, as `GET /bff/sessions` lists them. */
import { flag, listOf, members, type Reader, text } from './json.ts'
import { readReply } from './problem.ts'

/** One session. Nothing in it opens it. */
export interface OwnSession {
  /** As `id` in the answer of `GET /bff/session`. */
  id: string
  /** RFC 3339. */
  opened_at: string
  /** RFC 3339; stored about once an hour. */
  seen_at: string
  /** Coarse, as `Firefox on Linux`. */
  browser: string
  /** Whether it is the session of the browser that asks. */
  current: boolean
}

/** The answer of `GET /bff/sessions`: the newest first. */
export interface OwnSessions {
  sessions: OwnSession[]
}

/** At most so many sessions of one owner are open; when another one is opened, the oldest ends. */
export const MAX_OWN_SESSIONS = 20

// RFC 3339 5.6, in capital letters and with a known offset.
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const instant: Reader<string> = (value) => {
  if (!RFC_3339.test(text(value)) || Number.isNaN(Date.parse(text(value))))
    throw new TypeError('expected an instant of RFC 3339')
  return text(value)
}

const readSessions: Reader<OwnSessions> = members(
  {
    sessions: listOf(
      members({ id: text, opened_at: instant, seen_at: instant, browser: text, current: flag }, {}),
    ),
  },
  {},
)

/** Reads the answer of `GET /bff/sessions`. @throws Problem `unexpected_reply` for anything else */
export const parseOwnSessions = (body: unknown): OwnSessions => readReply(readSessions, body)
