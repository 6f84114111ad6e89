import type { organizations as English } from '../en/organizations.ts'

export const organizations: typeof English = {
  words: (most) => `最大${most}件です。切り替えは無料です。サインアウトするとすべて終了します。`,
  inUse: '表示中',
  further: '別の組織にサインイン',
}
