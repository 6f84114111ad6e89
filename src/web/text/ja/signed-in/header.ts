import type { header as English } from '../../en/signed-in/header.ts'

export const header: typeof English = {
  organization: (id) => `組織${id}`,
  methods: { oauth: 'OAuth', api_key: 'APIキー' },
  pages: 'ページ',
  organizations: '自分の組織',
  ledger: 'リクエストの記録',
  learnt: '分かったこと',
  sessions: '自分のセッション',
  signOut: 'サインアウト',
  live: '自動更新中',
  connecting: '接続中',
  offline: 'オフライン',
  notLive: '未接続：再試行中',
  notLiveFor: (wait) => `未接続：${wait}後に再試行`,
}
