import { readFileSync } from 'node:fs'

export const DOCUMENT = 'docs/deploy.md'

export interface Command {
  /** The heading without its number. */
  section: string
  text: string
}

/** @throws Error for a block of another language, because its commands would not be run */
export function commandsOf(markdown = readFileSync(DOCUMENT, 'utf8')): Command[] {
  const commands: Command[] = []
  let [section, fence]: [string, string | undefined] = ['', undefined]
  for (const line of markdown.split('\n')) {
    const heading = /^## (?:\d+\. )?(.+)/.exec(line)
    if (fence === undefined && heading) section = heading[1] ?? ''
    if (line.startsWith('```')) {
      fence = fence === undefined ? line.slice(3) : undefined
      if (fence !== undefined && fence !== 'sh')
        throw new Error(`${DOCUMENT} has a block of "${fence}", which is not run`)
    } else if (fence !== undefined) commands.push({ section, text: line })
  }
  return commands
}

/** Programs that this machine does not need, or that would change it: a script replaces each. */
export const STAND_INS: Record<string, string> = {
  systemctl:
    'answered by units.ts, which starts and stops ExecStart of the unit file with its environment and credentials; nothing runs under systemd',
  useradd:
    'NOT RUN: it would change this machine; everything runs as the present user, but Redis as `redis` if root runs this',
  userdel: 'NOT RUN: the same',
  docker: 'NOT RUN: no engine; the commands of the Dockerfile are those of section 1',
}
