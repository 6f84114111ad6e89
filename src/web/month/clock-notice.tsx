import styles from './month.module.css'
import { spanWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { useUi } from '../lib/ui.ts'

/** Says once that this device's clock is wrong, beside the date on which the month is reset. */
export function ClockNotice() {
  const aheadMs = useUi((ui) => ui.clockAheadMs)
  const { clock } = words().month
  if (aheadMs === 0) return null
  return (
    <p className={styles.quiet}>{(aheadMs > 0 ? clock.ahead : clock.behind)(spanWords(Math.abs(aheadMs)))}</p>
  )
}
