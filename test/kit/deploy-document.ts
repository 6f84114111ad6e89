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

/** The files and folders that "Build" copies to where the app runs. */
export function copiedAtBuild(): string[] {
  const copies = commandsOf().flatMap(({ text }) => /^cp -r --parents (.+) \S+$/.exec(text)?.[1] ?? [])
  return copies.flatMap((names) => names.split(' '))
}
