// A folder in memory for the files of the tests: a store on a disk waits for it at each write.
import { statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
/** A container has 64 MiB there by default, and browsers use it too. */
const LEAST_BYTES = 2 * 2 ** 30

function isLarge(): boolean {
  try {
    const { bavail, bsize } = statfsSync(FOLDER)
    return bavail * bsize >= LEAST_BYTES
  } catch {
    return false
  }
}

/** The variable of the temporary folder, if this machine has room in memory. */
export const inMemory = (): { TMPDIR?: string } =>
  process.env['TMPDIR'] === undefined && isLarge() ? { TMPDIR: FOLDER } : {}
