/** Loads the code of the record's fields. The page needs it only after a press. */
import { late } from '../lib/late.ts'

export const loadFields = () => late(import('../record/fields.tsx'))

export const loadChangeWords = () => late(import('../record/changes.ts'))
