// Copies the colours of tokens.css into the files that cannot import it; `npm run fix` runs it.
import { readFileSync, writeFileSync } from 'node:fs'

const TOKENS = 'src/web/app/tokens.css'

const read = (file) => readFileSync(file, 'utf8')

/** By name, in light and dark. */
function readColours() {
  const found = read(TOKENS).matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);/g)
  return Object.fromEntries([...found].map(([, name, light, dark]) => [name, { light, dark }]))
}

const inStyle = (css, colours) =>
  css.replace(/--([\w-]+): light-dark\(.*\);/g, (rule, name) => {
    const { light, dark } = colours[name] ?? {}
    return light === undefined ? rule : `--${name}: light-dark(${light}, ${dark});`
  })

const inIcon = (svg, { paper, low }) =>
  svg
    .replace(/(<svg [^>]*stroke=")#[\da-f]{6}/, (_, before) => before + paper.light)
    .replace(/(<path d="M35[^>]*fill=")#[\da-f]{6}/, (_, before) => before + low.dark)

const COPIES = {
  'index.html': (html, { paper }) =>
    html.replace(
      /#[\da-f]{6}(?=" media="\(prefers-color-scheme: (light|dark)\))/g,
      (_, theme) => paper[theme],
    ),
  'public/favicon.svg': inIcon,
  'public/favicon-low.svg': inIcon,
  'public/favicon-none.svg': inIcon,
  'src/sandbox/http/page.tsx': (source, { accent }) =>
    source.replace(/(<Mark color=")#[\da-f]{6}/, (_, before) => before + accent.light),
  'src/sandbox/http/style.css': inStyle,
}

/** The files whose colours are not those of the tokens, each with the text that it should have. */
export function staleCopies(colours = readColours()) {
  const texts = Object.entries(COPIES).map(([file, copy]) => [file, copy(read(file), colours)])
  return texts.filter(([file, text]) => text !== read(file))
}

if (process.argv[1] === import.meta.filename)
  for (const [file, text] of staleCopies()) writeFileSync(file, text)
