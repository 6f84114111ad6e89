/** Notes on a reading of the limits, or on its window, for the person (8.2, 8.4). */

/** `not_reported`: not in the last three answers. */
export type RateNote = (typeof RATE_NOTES)[number]
export const RATE_NOTES = [
  'reset_in_milliseconds',
  'reset_as_delay',
  'reset_far',
  'reset_unreadable',
  'long_window',
  'not_reported',
] as const
