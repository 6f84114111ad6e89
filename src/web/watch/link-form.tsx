import { type FormEvent, useId, useRef, useState } from 'react'
import { MOST_NAME_LENGTH, nameFault, trimmedName } from '../../contract/chosen-name.ts'
import { LINK_DAYS, type MadeLink } from '../../contract/watch-links.ts'
import data from '../components/data.module.css'
import { Notice } from '../components/notice.tsx'
import { useFreeWork } from '../lib/free-work.ts'
import styles from '../sessions/sessions.module.css'
import { words } from '../text/text.ts'
import { addLink } from './queries.ts'

type Fault = NonNullable<ReturnType<typeof nameFault>> | 'name_missing' | 'days_not_in_range'

export function LinkForm({ onMade }: { onMade: (link: MadeLink) => void }) {
  const { form, fault, making, submit } = useLinkForm(onMade)
  const id = useId()
  const t = words().watch
  const isDays = fault === 'days_not_in_range'
  const input = (name: 'name' | 'days', isWrong: boolean) => ({
    id: `${id}-${name}`,
    name,
    autoComplete: 'off',
    'aria-invalid': isWrong,
    'aria-describedby': isWrong ? `${id}-fault` : undefined,
  })
  return (
    <form ref={form} className={data.card} noValidate onSubmit={submit}>
      <div className={styles.name}>
        <label htmlFor={`${id}-name`}>{t.name}</label>
        <input {...input('name', fault !== undefined && !isDays)} dir="auto" />
        <label htmlFor={`${id}-days`}>{t.days}</label>
        <input {...input('days', isDays)} inputMode="numeric" defaultValue={LINK_DAYS.usual} />
        {fault && (
          <p id={`${id}-fault`} className={styles.fault}>
            {t.faults[fault](MOST_NAME_LENGTH)}
          </p>
        )}
        <button type="submit" data-kind="primary" aria-disabled={making.busy}>
          {t.make}
        </button>
        {making.problem && <Notice problem={making.problem} />}
      </div>
    </form>
  )
}

function useLinkForm(onMade: (link: MadeLink) => void) {
  const form = useRef<HTMLFormElement>(null)
  const [fault, setFault] = useState<Fault>()
  const making = useFreeWork(async () => {})
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (making.busy) return
    const typed = (field: string) => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)
    const name = trimmedName(typed('name')?.value ?? '')
    const days = Number(typed('days')?.value)
    const found = faultOf(name, days)
    setFault(found)
    if (found !== undefined) return typed(found === 'days_not_in_range' ? 'days' : 'name')?.focus()
    const make = async (): Promise<void> => {
      onMade(await addLink({ name, days }))
      form.current?.reset()
    }
    void making.run(make, () => '')
  }
  return { form, fault, making, submit }
}

function faultOf(name: string, days: number): Fault | undefined {
  if (name === '') return 'name_missing'
  const isInRange = Number.isInteger(days) && days >= LINK_DAYS.least && days <= LINK_DAYS.most
  return nameFault(name) ?? (isInRange ? undefined : 'days_not_in_range')
}
