import { MOST_NAME_LENGTH, nameFault, trimmedName } from '../../contract/chosen-name.ts'
import type { Problem } from '../../contract/problem.ts'
import { LINK_DAYS, type LinkRequest, type MadeLink } from '../../contract/watch-links.ts'
import data from '../components/data.module.css'
import { Field, type FieldErrors, Form, Submit, typedIn } from '../components/form.tsx'
import type { Free } from '../components/use-free.ts'
import { words } from '../text/text.ts'

const DAYS = [7, LINK_DAYS.usual, 90, LINK_DAYS.most] as const

export function LinkForm({ making }: { making: Free<LinkRequest, MadeLink> }) {
  const t = words().watch
  return (
    <div className={data.card}>
      <Form read={linkIn} action={making} refused={refusedFields} resets>
        <Field name="name" label={t.name} dir="auto" />
        <Field name="days" label={t.days} choices={DAYS} defaultValue={LINK_DAYS.usual} />
        <Submit>{t.make}</Submit>
      </Form>
    </div>
  )
}

function refusedFields({ fault }: Problem): FieldErrors | undefined {
  return fault === 'name_taken' ? { name: () => words().watch.faults.name_taken() } : undefined
}

function linkIn(typed: FormData) {
  const name = trimmedName(typedIn(typed, 'name'))
  const fault = name === '' ? 'name_missing' : nameFault(name)
  if (fault === undefined) return { value: { name, days: Number(typedIn(typed, 'days')) } }
  return { errors: { name: () => words().watch.faults[fault](MOST_NAME_LENGTH) } }
}
