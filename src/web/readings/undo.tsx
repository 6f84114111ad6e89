import type { Reading } from '../../contract/readings.ts'
import { words } from '../text/text.ts'

export function Undo({ reading, remove }: { reading: Reading; remove: (reading: Reading) => void }) {
  const t = words().readings
  return (
    <button
      type="button"
      data-kind="quiet"
      aria-label={t.undoOf(reading.count)}
      onClick={() => remove(reading)}
    >
      {t.undo}
    </button>
  )
}
