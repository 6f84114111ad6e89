/** The sandbox's state file: its state, and what has changed since, a line at a time. One process owns it. */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isBusy, makeFolder, takeLock } from '../../store/sqlite/file.ts'

export interface SandboxFile {
  /** `undefined` if there is no file. */
  text: string | undefined
  write: (text: string) => void
  append: (line: string) => void
  /** Renames a file that cannot be used. @returns its new name */
  setAside: (nowMs: number) => string
  /** Releases the file, so that another process can own it. */
  release: () => void
}

/** For a sandbox without a file: its state ends with the process. */
export const NO_FILE: SandboxFile = {
  text: undefined,
  write: () => {},
  append: () => {},
  setAside: () => '',
  release: () => {},
}

/**
 * Creates the folder if it is missing, and locks the file.
 * @throws Error in one sentence if another process owns the file, or the folder cannot be used
 */
export function openSandboxFile(path: string): SandboxFile {
  return {
    ...read(path),
    write(text) {
      writeFileSync(`${path}.new`, text, { mode: 0o600 })
      renameSync(`${path}.new`, path)
    },
    append: (line) => appendFileSync(path, line),
    setAside(nowMs) {
      const name = `${path}.damaged-${new Date(nowMs).toISOString().replaceAll(':', '-')}`
      renameSync(path, name)
      return name
    },
  }
}

function read(path: string): Pick<SandboxFile, 'text' | 'release'> {
  try {
    makeFolder(dirname(path))
    const release = takeLock(`${path}.lock`)
    return { release, text: existsSync(path) ? readFileSync(path, 'utf8') : undefined }
  } catch (error) {
    const advice = 'another folder with PLIMSOLL_STORE.'
    if (isBusy(error))
      throw new Error(`Another sandbox is using ${path}. Stop it, or choose ${advice}`, { cause: error })
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} cannot be used: ${reason}. Choose ${advice}`, { cause: error })
  }
}
