/** A lock file says which process owns a file. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** A running process owns the file. */
export class LockedError extends Error {
  override readonly name = 'LockedError'
  readonly pid: number

  constructor(pid: number) {
    super(`process ${pid} holds the lock`)
    this.pid = pid
  }
}

/** Takes even a lock that an ended process left. @returns a function that releases it @throws LockedError */
export function takeLock(path: string): () => void {
  const mine = `${process.pid} ${startOf(process.pid)}`
  while (!create(path, mine)) {
    const holder = read(path)
    if (holder !== undefined && holder !== mine && isRunning(holder)) throw new LockedError(pidOf(holder))
    removeStale(path, holder)
  }
  return () => {
    if (read(path) === mine) rmSync(path, { force: true })
  }
}

/** @returns `false` if the file exists */
function create(path: string, text: string): boolean {
  // The link makes name and content appear in one step, so that no process reads a half-written lock.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** If several processes find a stale lock, one removes it. A lock that was taken meanwhile is restored. */
function removeStale(path: string, stale: string | undefined): void {
  const removed = `${path}.${process.pid}.stale`
  try {
    renameSync(path, removed)
    if (read(removed) !== stale) linkSync(removed, path)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    rmSync(removed, { force: true })
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const pidOf = (holder: string): number => Number(holder.split(' ')[0])

/** The process is running. With /proc, this also excludes a later process with the same id. */
function isRunning(holder: string): boolean {
  const pid = pidOf(holder)
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return holder === `${pid} ${startOf(pid)}`
}

/** Start time of a process, in ticks since boot (proc(5)); `-` without /proc. */
function startOf(pid: number): string {
  const fields = read(`/proc/${pid}/stat`)
  // The name of the program, in parentheses, may contain blanks.
  return fields?.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
}
