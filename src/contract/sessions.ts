/** The answer of `GET /bff/sessions`: a person's own sessions. */
import { flag, listOf, members, type Reader, text, time } from './json.ts'
import { readReply } from './problem.ts'

/** It holds no secret. */
export interface OwnSession {
  /** As in `GET /bff/session`. */
  id: string
  /** RFC 3339. */
  opened_at: string
  /** RFC 3339. Stored about once an hour. */
  seen_at: string
  /** For example `Firefox on Linux`. */
  browser: string
  /** The session of the browser that asks. */
  current: boolean
}

/** The newest first. */
export interface OwnSessions {
  sessions: OwnSession[]
}

/** Of one owner. When another one is opened, the oldest ends. */
export const MAX_OWN_SESSIONS = 20

const readSessions: Reader<OwnSessions> = members(
  {
    sessions: listOf(members({ id: text, opened_at: time, seen_at: time, browser: text, current: flag }, {})),
  },
  {},
)

/** @throws Problem `unexpected_reply` */
export const parseOwnSessions = (body: unknown): OwnSessions => readReply(readSessions, body)
