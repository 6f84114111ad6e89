// Copies the start script into the build, with its hash in the name: browsers keep it a year.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Its address in index.html, which the development server serves. */
const SOURCE = '/src/web/app/start.js'
const TAG = new RegExp(`<script\\s+src="${SOURCE}">`)

export function startScript(): Plugin {
  const source = readFileSync(new URL(`../..${SOURCE}`, import.meta.url))
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const fileName = `assets/start-${hash}.js`
  return {
    name: 'plimsoll:start-script',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    // Vite has removed `vite-ignore`, and left its space.
    transformIndexHtml: (html) => html.replace(TAG, `<script src="/${fileName}">`),
  }
}
