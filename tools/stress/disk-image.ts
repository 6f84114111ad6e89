/**
 * A file system in a file. A copy of the file is what a loss of power at that moment would leave: data that
 * the system has not written is missing.
 */
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
  folder: string
  /** Copies what has reached the image; meanwhile only the system may write. @returns the mounted copy */
  copy: () => DiskImage
  remove: () => void
}

/** @throws Error if this process may not mount a file system */
export function createDiskImage(): DiskImage {
  // The image is in memory, so that the copy takes no time.
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
      // Lazily, because the SQLite driver closes a file only when its statements are collected.
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
      rmSync(at, { recursive: true })
    },
  }
}

/** Reads until two readings are equal: then nothing was written between them. */
function readTwice(file: string): Buffer {
  for (
    let [former, now] = [readFileSync(file), readFileSync(file)];
    ;
    [former, now] = [now, readFileSync(file)]
  )
    if (former.equals(now)) return now
}
