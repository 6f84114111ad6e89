import type { organizations as English } from '../../en/side-pages/organizations.ts'

export const organizations: typeof English = {
  words:
    '組織ごとにサインインします。切り替えは無料です。サインアウトすると、すべての組織からサインアウトします。',
  most: (count) => `同時に使えるのは${count}件までで、超えると最も長く使っていないものが終了します。`,
  inUse: '表示中',
  further: '別の組織にサインイン',
}
