/** A file system in a file, of which a copy is what a loss of power at that moment would leave: what the system has not written is missing. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BYTES = 64 * 1024 * 1024

export interface DiskImage {
  /** Where it is mounted. */
  folder: string
  /** Copies what has been written to it; nothing may be written meanwhile but by the system. @returns the copy, mounted */
  copy: () => DiskImage
  remove: () => void
}

/** @throws Error where this process may not mount one */
export function createDiskImage(): DiskImage {
  // In memory, so that it is copied in an instant.
  const at = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'plimsoll-disk-'))
  const file = join(at, 'image')
  writeFileSync(file, '')
  truncateSync(file, BYTES)
  execFileSync('mkfs.ext4', ['-q', file], { stdio: 'pipe' })
  return mount(at, file)
}

function mount(at: string, file: string): DiskImage {
  const folder = join(at, 'mounted')
  mkdirSync(folder)
  execFileSync('mount', ['-o', 'loop', file, folder], { stdio: 'pipe' })
  return {
    folder,
    copy() {
      const copy = mkdtempSync(`${at}-copy-`)
      writeFileSync(join(copy, 'image'), readTwice(file))
      return mount(copy, join(copy, 'image'))
    },
    remove() {
      // Lazily: the driver of SQLite closes a file when its statements are collected.
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
      rmSync(at, { recursive: true })
    },
  }
}

/** Until two readings are the same: then nothing was written between them. */
function readTwice(file: string): Buffer {
  for (
    let [former, now] = [readFileSync(file), readFileSync(file)];
    ;
    [former, now] = [now, readFileSync(file)]
  )
    if (former.equals(now)) return now
}
