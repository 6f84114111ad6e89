/** Loads the code of the record's tree. The page needs it only after a press. */
import { late } from '../lib/late.ts'

export const loadView = () => late(import('../record/view.tsx'))

export const loadChangeWords = () => late(import('../record/change-words.ts'))
