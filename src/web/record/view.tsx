import { type ComponentProps, useMemo, useState } from 'react'
import { RawJson } from './raw.tsx'
import { Quiet } from './tree/scalar.tsx'
import { Tree } from './tree/tree.tsx'
import styles from './record.module.css'
import type { Before } from './queries.ts'
import { changesIn } from './changes.ts'
import { type Field, fieldsIn } from './fields.ts'
import { Finder } from './finder.tsx'
import { QueryWords } from './tree/query-words.ts'
import { rowsOf } from './tree/rows.ts'
import type { Found } from './search.ts'
import { type OpenAtFirst, useOpen } from './tree/use-open.ts'
import { words } from '../text/text.ts'

interface JsonViewProps {
  answer: { text: string }
  before?: Before | undefined
  /** The name of a download. */
  file?: string
}

/** All fields as a tree, and the answer as it came. */
export function JsonView({ answer, before, file = 'organization.json' }: JsonViewProps) {
  const fields = fieldsIn(answer)
  return (
    <div className={styles.view}>
      {fields ? (
        <Fields fields={fields} changes={before && changesIn(before, answer)} />
      ) : (
        <p>{words().record.unreadable}</p>
      )}
      <RawJson text={answer.text} file={file} />
    </div>
  )
}

const NOTHING_CHANGED = { paths: new Set<string>(), removed: [] }

interface FieldsProps {
  fields: readonly Field[]
  changes: Pick<ReturnType<typeof changesIn>, 'paths' | 'removed'> | undefined
}

function Fields({ fields, changes: { paths, removed } = NOTHING_CHANGED }: FieldsProps) {
  const [found, setFound] = useState<Found>()
  const { view, setOpen, showMore, setAll } = useOpen(fields, found)
  const rows = useMemo(() => rowsOf(fields, view, found, removed), [fields, view, found, removed])
  if (fields.length + removed.length === 0) return <Quiet>{words().record.empty}</Quiet>
  return (
    <>
      <Tools fields={fields} found={found} onFound={setFound} setAll={setAll} />
      {rows.length > 0 && (
        <QueryWords value={found?.query ?? ''}>
          <Tree
            rows={rows}
            changed={paths}
            onToggle={({ path, isOpen }) => setOpen(path, !isOpen)}
            onMore={({ path, shown }) => showMore(path, shown)}
          />
        </QueryWords>
      )}
    </>
  )
}

function Tools({ setAll, ...finder }: ComponentProps<typeof Finder> & { setAll: (to: OpenAtFirst) => void }) {
  const t = words().record
  return (
    <div className={styles.tools}>
      <Finder {...finder} />
      <button type="button" data-kind="quiet" onClick={() => setAll('all')}>
        {t.expand}
      </button>
      <button type="button" data-kind="quiet" onClick={() => setAll('none')}>
        {t.collapse}
      </button>
    </div>
  )
}
