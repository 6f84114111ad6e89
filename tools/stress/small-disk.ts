import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @returns `undefined` if this process may not mount one */
export function mountSmall(): { folder: string; remove: () => void } | undefined {
  const mount = mkdtempSync(join(tmpdir(), 'plimsoll-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', mount], { stdio: 'pipe' })
  } catch {
    rmSync(mount, { recursive: true })
    return undefined
  }
  return {
    folder: mkdtempSync(join(mount, 'data-')),
    remove() {
      // Lazily, because the driver closes a file some time after the database.
      execFileSync('umount', ['-l', mount], { stdio: 'pipe' })
      rmSync(mount, { recursive: true })
    },
  }
}
