import { useState } from 'react'
import { jsonOf } from './json-text.ts'
import { cut } from './value.ts'
import styles from './record.module.css'
import { signedInText } from '../text/text.ts'

const LONGEST_PATH = 120

/** Copying costs no request. */
export function CopyButtons({ value, path }: { value: unknown; path: string }) {
  const { record: t } = signedInText()
  const [done, setDone] = useState<keyof typeof t.copied>()
  const copy = async (what: 'value' | 'path', text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(what)
    } catch {
      setDone('refused')
    }
  }
  return (
    <div className={styles.copy}>
      <code dir="ltr">{cut(path, LONGEST_PATH)}</code>
      <button
        type="button"
        data-kind="quiet"
        onClick={() => void copy('value', typeof value === 'string' ? value : jsonOf(value))}
      >
        {t.copyValue}
      </button>
      <button type="button" data-kind="quiet" onClick={() => void copy('path', path)}>
        {t.copyPath}
      </button>
      <output>{done && t.copied[done]}</output>
    </div>
  )
}
