import { useEffect, useRef } from 'react'
import type { MadeLink } from '../../contract/watch-links.ts'
import { CopyField } from '../components/copy-field.tsx'
import data from '../components/data.module.css'
import { addressOf, commandOf } from './queries.ts'
import { words } from '../text/text.ts'

/** The addresses of a new link. No later answer has them. */
export function MadeLinkCard({ link: { id, name, secret } }: { link: MadeLink }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const t = words().watch
  return (
    <div className={data.card}>
      <h2 ref={heading} tabIndex={-1}>
        {t.ready(name)}
      </h2>
      {(['', '?wall'] as const).map((query) => {
        const address = addressOf(id, secret, query)
        return (
          <CopyField key={query} label={query ? t.wall : t.address} value={address}>
            <a href={address} target="_blank" rel="noopener noreferrer">
              {t.open}
            </a>
          </CopyField>
        )
      })}
      <CopyField label={t.script} value={commandOf(secret)} />
    </div>
  )
}
