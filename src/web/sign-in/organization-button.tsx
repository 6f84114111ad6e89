import { type ReactNode, useState } from 'react'
import { asProblem } from '../../contract/problem.ts'
import styles from './known-organizations.module.css'
import type { Reports } from './one-field.tsx'

interface OrganizationButtonProps extends Reports {
  primary?: boolean | undefined
  /** Replaces the label while the organization opens. */
  busyLabel?: string
  open: () => Promise<void>
  children: ReactNode
}

/** Opens once, however often it is pressed. After a failure it can be pressed again. */
export function OrganizationButton({
  primary,
  busyLabel,
  open,
  onProblem,
  children,
}: OrganizationButtonProps) {
  const [busy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    if (busy) return
    onProblem(undefined)
    setBusy(true)
    try {
      await open()
    } catch (cause) {
      setBusy(false)
      onProblem(asProblem(cause))
    }
  }
  return (
    <button
      type="button"
      className={styles.direct}
      data-kind={primary ? 'primary' : undefined}
      aria-disabled={busy}
      aria-busy={busy}
      onClick={() => void press()}
    >
      {busy ? (busyLabel ?? children) : children}
    </button>
  )
}
