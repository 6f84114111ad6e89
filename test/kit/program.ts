// Finds a program on this machine.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A person's path may lack the folder of Debian's servers. */
const SERVERS = '/usr/sbin'

/**
 * The first of the names that is in a folder of the path, else `undefined`. @param chosen a file that comes
 * first if it exists
 */
export function findProgram(names: readonly string[], chosen = ''): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), SERVERS]
  const installed = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [chosen, ...installed].find((file) => existsSync(file))
}
