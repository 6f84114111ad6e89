import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DOCUMENTS = 'docs/screens'

/** Each screenshot that the README or the documents show, with its caption; at most twelve. */
const SHOWN: Readonly<Record<string, string>> = {
  'first-run-light-1280': 'The first page, with the embedded sandbox',
  'with-reading-light-1280': "The month with the service's own count entered, and the minute",
  'with-reading-dark-1280': 'The same page, dark',
  'with-reading-light-375': 'The same page on a phone',
  'japanese-light-1280': 'The same page in Japanese',
  'forecast-light-1280': 'What is left, and when it runs out at the present pace',
  'minute-paused-light-1280': 'The minute is used up: the buttons wait for its reset',
  'used-up-by-us-light-1280': 'The month is used up',
  'watched-light-1280': 'What a watch link shows, without a sign-in',
  'learnt-light-1280': 'What Plimsoll has learnt about the service',
  'sessions-light-1280': 'Your sessions',
  'control-plane-light-1280': 'The control plane of the sandbox',
}

/** Replaces the pictures of docs/screens, and its page, by those of a folder that has all screenshots. */
export function writeDocuments(folder: string): void {
  for (const file of readdirSync(DOCUMENTS)) if (file.endsWith('.png')) rmSync(join(DOCUMENTS, file))
  for (const name of Object.keys(SHOWN))
    copyFileSync(join(folder, `${name}.png`), join(DOCUMENTS, `${name}.png`))
  const sections = Object.entries(SHOWN).map(
    ([name, caption]) => `## ${caption}\n\n![${caption}](${name}.png)\n`,
  )
  writeFileSync(join(DOCUMENTS, 'README.md'), `# Screenshots\n\n${LEAD}\n\n${sections.join('\n')}`)
}

const LEAD = `\`npm run screens\` takes a screenshot of every state of the app into the git-ignored folder \`screens\`,
and copies these here.`
