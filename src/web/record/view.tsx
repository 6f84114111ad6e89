import { type ComponentProps, useMemo, useState } from 'react'
import { JsonContext } from './state.ts'
import { RawJson } from './raw.tsx'
import { readJsonText } from './json-text.ts'
import { Quiet, usePages } from './scalar.tsx'
import { MemberRow } from './tree.tsx'
import { isBranch } from './value.ts'
import styles from './record.module.css'
import type { Before } from './queries.ts'
import { ChangeWords } from './change-words.tsx'
import { changesOf } from './changes.ts'
import { type Field, fieldsOf } from './fields.ts'
import { Finder } from './finder.tsx'
import { AT_FIRST, EXPANDED, openBranches } from './open.ts'
import type { Found } from './search.ts'
import { signedInText } from '../text/text.ts'

interface JsonViewProps {
  text: string
  before?: Before | undefined
  /** The name of a download. */
  file?: string
}

const fieldsInText = (text: string): readonly Field[] | undefined => {
  const read = readJsonText(text)
  return read && fieldsOf(read.value)
}

/** Known members first, the rest as a tree, and the answer as it came. */
export function JsonView({ text, before, file = 'organization.json' }: JsonViewProps) {
  const fields = useMemo(() => fieldsInText(text), [text])
  return (
    <div className={styles.view}>
      {fields ? <Fields fields={fields} before={before} /> : <p>{signedInText().record.unreadable}</p>}
      <RawJson text={text} file={file} />
    </div>
  )
}

const NO_CHANGES: ReadonlySet<string> = new Set()

function Fields({ fields, before }: { fields: readonly Field[]; before: Before | undefined }) {
  const [found, setFound] = useState<Found>()
  const { setAll, ...open } = useOpen(fields, found)
  const changes = useMemo(
    () => before && changesOf(fieldsInText(before.text) ?? [], fields),
    [before, fields],
  )
  if (fields.length === 0) return <Quiet>{signedInText().record.empty}</Quiet>
  const shown = found ? fields.filter(({ of, key }) => found.inside.get(of)?.has(key)) : fields
  return (
    <JsonContext value={{ found, changed: changes?.paths ?? NO_CHANGES, ...open }}>
      <output className={styles.changes}>
        {before && changes && <ChangeWords changes={changes} readAtMs={before.readAtMs} />}
      </output>
      <MemberRows fields={shown.filter(({ fact }) => fact !== undefined)} isFacts />
      <Tools fields={fields} found={found} onFound={setFound} setAll={setAll} />
      <MemberRows fields={shown.filter(({ fact }) => fact === undefined)} />
    </JsonContext>
  )
}

type Base = 'first' | 'all' | 'none'

/** The branches open at first, changed by what a person shows and hides. */
function useOpen(fields: readonly Field[], found: Found | undefined) {
  const [base, setBase] = useState<Base>('first')
  const [toggled, setToggled] = useState<{ by?: Found | undefined; paths: ReadonlyMap<string, boolean> }>(
    NOTHING_TOGGLED,
  )
  const open = useMemo(() => {
    if (found) return openBranches(fields, EXPANDED, found)
    return base === 'none' ? new Set() : openBranches(fields, base === 'all' ? EXPANDED : AT_FIRST)
  }, [fields, found, base])
  // Each search has its own toggles.
  const paths = toggled.by === found ? toggled.paths : NOTHING_TOGGLED.paths
  return {
    isOpen: (path: string, value: unknown) => isBranch(value) && (paths.get(path) ?? open.has(value)),
    setOpen: (path: string, isOpen: boolean) =>
      setToggled({ by: found, paths: new Map(paths).set(path, isOpen) }),
    setAll: (to: Base) => {
      setBase(to)
      setToggled(NOTHING_TOGGLED)
    },
  }
}

const NOTHING_TOGGLED = { paths: new Map<string, boolean>() }

function Tools({ setAll, ...finder }: ComponentProps<typeof Finder> & { setAll: (to: Base) => void }) {
  const { record: t } = signedInText()
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

function MemberRows({ fields, isFacts = false }: { fields: readonly Field[]; isFacts?: boolean }) {
  const [shown, more] = usePages(fields)
  if (fields.length === 0) return null
  return (
    <div>
      <dl className={isFacts ? styles.facts : styles.members}>
        {shown.map(({ key, value, path, fact }) => (
          <MemberRow key={path} name={key} value={value} path={path} depth={1} fact={fact} />
        ))}
      </dl>
      {more}
    </div>
  )
}
