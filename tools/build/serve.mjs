// dist/server/serve.js. An old version of Node cannot load the app, so this checks the version first.
import { assertNode } from './node-version.mjs'

assertNode()
import('../../src/serve.ts').catch((error) => {
  if (!error.code?.endsWith('MODULE_NOT_FOUND')) throw error
  const [what] = error.message.split('\n')
  console.error(`${what}: run \`npm ci --omit=dev\` in the folder of Plimsoll.`)
  process.exit(1)
})
