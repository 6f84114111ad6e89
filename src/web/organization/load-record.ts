/** Loads the code of the record's tree with its texts. The page needs it only after a press. */
import { late } from '../lib/late.ts'
import { loadRecordText } from '../text/text.ts'

const withText = <Module>(module: Promise<Module>): Promise<Module> =>
  late(Promise.all([module, loadRecordText()])).then(([module]) => module)

export const loadView = () => withText(import('../record/view.tsx'))

export const loadChangeWords = () => withText(import('../record/change-words.ts'))
