import { startTransition, useEffect, useState } from 'react'
import styles from './record.module.css'
import type { Field } from './fields.ts'
import { type Found, searchFields } from './search.ts'
import { words } from '../text/text.ts'

interface FinderProps {
  fields: readonly Field[]
  found: Found | undefined
  onFound: (found: Found | undefined) => void
}

/** Filters the record by the typed words, and shows the number of matches. */
export function Finder({ fields, found, onFound }: FinderProps) {
  const t = words().record
  const [typed, setTyped] = useState('')
  const query = typed.trim().toLowerCase()
  useEffect(() => {
    // A transition can be interrupted: the field shows new input first.
    const show = (result: Found | undefined): void => startTransition(() => onFound(result))
    if (query !== '') return runInSteps(searchFields(fields, query), show)
    show(undefined)
    return undefined
  }, [fields, query, onFound])
  return (
    <search className={styles.finder}>
      <label>
        {t.search}
        <input
          type="search"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <output className={styles.quiet}>{found && query !== '' && t.found(found.count)}</output>
    </search>
  )
}

/** Longer steps would delay what a person types meanwhile. */
const STEP_MS = 10

/** Lets the browser answer input in between. @returns stops the work */
function runInSteps<Result>(work: Generator<void, Result>, onDone: (result: Result) => void): () => void {
  let timer = setTimeout(step)
  function step(): void {
    const untilMs = performance.now() + STEP_MS
    let next = work.next()
    while (next.done !== true && performance.now() < untilMs) next = work.next()
    if (next.done === true) onDone(next.value)
    else timer = setTimeout(step)
  }
  return () => clearTimeout(timer)
}
