/** The answer about a person's own sessions, as `GET /bff/sessions` lists them. */
import { flag, listOf, members, type Reader, text, time } from './json.ts'
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

const readSessions: Reader<OwnSessions> = members(
  {
    sessions: listOf(members({ id: text, opened_at: time, seen_at: time, browser: text, current: flag }, {})),
  },
  {},
)

/** Reads the answer of `GET /bff/sessions`. @throws Problem `unexpected_reply` for anything else */
export const parseOwnSessions = (body: unknown): OwnSessions => readReply(readSessions, body)
