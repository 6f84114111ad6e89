// dist/server/serve.js. An old version of Node cannot load the app, so this checks the version first.
import { assertNode } from './node-version.mjs'

assertNode()
void import('../../src/serve.ts')
