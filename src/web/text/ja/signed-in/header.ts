import type { header as English } from '../../en/signed-in/header.ts'

export const header: typeof English = {
  byKey: 'APIキーでサインイン中',
  pages: 'ページ',
  account: 'アカウント',
  organizations: '自分の組織',
  allOrganizations: 'すべての組織',
  ledger: '記録',
  learnt: '回数の数え方',
  sessions: '自分のセッション',
  signOut: 'サインアウト',
  live: '自動更新中',
  connecting: '接続中',
  offline: 'オフライン',
  notLive: (since) => `${since}から未接続`,
  retrying: '再試行中',
  retryIn: (wait) => `${wait}後に再試行`,
}
