// Writes the table of docs/settings.md from that of the code; `npm run fix` runs it.
import { readFileSync, writeFileSync } from 'node:fs'
import { runnerImport } from 'vite'
import { between } from './markers.mjs'

const PAGE = 'docs/settings.md'

const line = ([name, { schema, without = 'none', meaning }]) =>
  `| \`PLIMSOLL_${name}\` | ${schema.default === undefined ? without : `\`${schema.default}\``} | ${meaning.replaceAll(/\s+/g, ' ')} |`

/** The page as it should be, and as it is. */
export function settingsPage(settings) {
  const rows = Object.entries(settings).map(line)
  const written = readFileSync(PAGE, 'utf8')
  const table = ['| name | default | meaning |', '|---|---|---|', ...rows].join('\n')
  return { right: between(written, 'settings', table), written }
}

if (process.argv[1] === import.meta.filename) {
  const { module } = await runnerImport('./src/serve/settings/table.ts', { configFile: false })
  writeFileSync(PAGE, settingsPage(module.SETTINGS).right)
}
