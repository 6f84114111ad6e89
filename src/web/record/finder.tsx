import { startTransition, useEffect, useState } from 'react'
import styles from './record.module.css'
import type { Field } from './fields.ts'
import { type Found, searchFields } from './search.ts'
import { signedInText } from '../text/text.ts'

interface FinderProps {
  fields: readonly Field[]
  found: Found | undefined
  onFound: (found: Found | undefined) => void
}

/** A field that filters the record by what is typed, and shows how much was found. */
export function Finder({ fields, found, onFound }: FinderProps) {
  const { record: t } = signedInText()
  const [words, setWords] = useState('')
  const query = words.trim().toLowerCase()
  useEffect(() => {
    // Interruptible: what is typed meanwhile is shown first.
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
          value={words}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setWords(target.value)}
        />
      </label>
      <output className={styles.quiet}>{found && query !== '' && t.found(found.count)}</output>
    </search>
  )
}

/** Longer ones would delay what a person types meanwhile. */
const STEP_MS = 10

/** @returns stops it */
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
