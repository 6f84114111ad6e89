import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** `mkdirSync(folder, { recursive: true })` never returns below /proc on Linux. @throws the error of mkdir */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
