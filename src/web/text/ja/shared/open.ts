import type { open as English } from '../../en/shared/open.ts'

export const open: typeof English = {
  heading: 'サインイン中の組織',
  use: (organization) => `${organization}を開く・無料`,
  named: (name, id) => `${name}（${id}）`,
  numbered: (id) => `組織${id}`,
  ofKey: 'APIキーの組織',
}
