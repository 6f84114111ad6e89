// No secret of a test's fixture is in a log line, an address, a header or an answer of ours.
import { afterEach } from 'vitest'
import { takeFound } from './kit/canaries.ts'

afterEach(() => {
  const found = takeFound()
  if (found.length > 0) throw new Error(['Secrets where none may be (attack 76)', ...found].join('\n'))
})
