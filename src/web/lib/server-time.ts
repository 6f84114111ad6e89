/** The time of the server, by the `Date` of its answers: all dates that the page makes follow it. */
import { CLOCK_JUMP_MS } from '../../contract/clock.ts'
import { useUi } from './ui.ts'

/** A smaller difference changes no date, and `Date` has whole seconds. */
export function noteServerTime({ headers, ok }: Response): void {
  const aheadMs = Date.now() - Date.parse(headers.get('Date') ?? '')
  if (!ok || !(Math.abs(aheadMs - useUi.getState().clockAheadMs) > CLOCK_JUMP_MS)) return
  useUi.setState({ clockAheadMs: Math.abs(aheadMs) > CLOCK_JUMP_MS ? aheadMs : 0 })
}

/** The server's time at an instant of this browser's clock, UNIX milliseconds. */
export const onServer = (ms: number): number => ms - useUi.getState().clockAheadMs
