import type { organizations as English } from '../../en/side-pages/organizations.ts'

export const organizations: typeof English = {
  words: '組織ごとにサインインします。切り替えは無料です。サインアウトは、すべての組織に及びます。',
  most: (count) => `${count}件までです。さらに追加すると、最も長く使っていない組織からサインアウトします。`,
  inUse: '表示中',
  further: '別の組織にサインイン',
}
