// A language with texts 1.6 times as long as in English. It replaces Japanese in a browser, in no build.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'

const ASSETS = 'dist/web/assets'
const DICTIONARY = /export\s*\{\s*\w+ as (shared|signedIn|sidePages)\s*\}/
const JAPANESE = /[\u3040-\u30ff]/

interface Chunk {
  file: string
  name: string
  isJapanese: boolean
}

function dictionaries(): Chunk[] {
  return readdirSync(ASSETS)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => {
      const source = readFileSync(join(ASSETS, file), 'utf8')
      const name = DICTIONARY.exec(source)?.[1]
      return name === undefined ? [] : [{ file, name, isJapanese: JAPANESE.test(source) }]
    })
}

export async function speakAtLength(context: BrowserContext): Promise<void> {
  const all = dictionaries()
  for (const { file, name } of all.filter(({ isJapanese }) => isJapanese)) {
    const english = all.find((one) => one.name === name && !one.isJapanese)
    if (english === undefined) throw new Error(`No English dictionary for ${file}`)
    const body = `import { ${name} as english } from './${english.file}'\n(${install.toString()})()\nexport const ${name} = globalThis.lengthen(english)`
    await context.route(`**/assets/${file}`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body }),
    )
  }
  if (all.length !== 6) throw new Error(`There are ${all.length} dictionaries in the build, not 6`)
}

/** Runs in the page. A word that is already lengthened, in a text within a text, stays as it is. */
function install(): void {
  const made = new Set<string>()
  const longer = (word: string): string => {
    if (made.has(word)) return word
    const long = word + word.slice(0, Math.ceil(word.length * 0.6)).toLowerCase()
    made.add(long)
    return long
  }
  const lengthen = (node: unknown): unknown => {
    if (typeof node === 'string') return node.replaceAll(/\p{L}+/gu, longer)
    if (typeof node === 'function') return (...values: unknown[]) => lengthen(node(...values))
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, lengthen(inner)]))
  }
  Object.assign(globalThis, { lengthen })
}
