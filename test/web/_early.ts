// The only place that runs public/early.js, as a document does before its modules.
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'

export const runEarly = (): void => {
  runInThisContext(`{${readFileSync('public/early.js', 'utf8')}}`)
}
