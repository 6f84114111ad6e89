import type { home as English } from '../en/home.ts'
import { month } from './month.ts'

export const home: typeof English = {
  ...month,
  header: {
    heading: 'リクエスト枠と組織',
    byKey: 'APIキーでサインイン中',
    pages: 'ページ',
    account: 'アカウント',
    organizations: '自分の組織',
    allOrganizations: 'すべての組織',
    ledger: '記録',
    learnt: '上限の数え方',
    sessions: '自分のセッション',
    links: '残りを共有',
    device: 'ほかの端末で開く',
    signOut: 'サインアウト',
    live: '自動更新中',
    connecting: '接続中',
    notLive: (since) => `${since}から未接続`,
  },
  minute: {
    heading: '1分あたりの上限',
    classes: {
      read: {
        name: '読み取り',
        bar: 'この1分間に残っている読み取り',
      },
      update: {
        name: '更新',
        bar: 'この1分間に残っている更新',
      },
    },
    left: (count) => `残り${count}`,
    low: (count) => `残りわずか：${count}`,
    perMinute: (limit) => `1分間に${limit}件まで`,
    noLimit: '上限は未確認',
    ofLimit: (count, limit) => `${count} / ${limit}件`,
    refillsIn: (wait) => `${wait}後に回復`,
    new: '新しい1分間',
    unknown: '未測定',
    lastUpdate: (ago) => `最終更新：${ago}`,
    recent: {
      label: '最近のリクエスト',
      you: 'あなたが',
      another: '別のブラウザーが',
      kinds: {
        sign_in: 'サインイン',
        read: '組織を読み取り',
        check: '上限を確認',
        refresh: 'トークンを更新',
      },
      failed: (ago) => `失敗・${ago}`,
    },
    check: '上限を確認',
    checkAgain: 'もう一度確認',
    paused: (wait) => `停止中：あと${wait}`,
  },
  organization: {
    heading: '組織',
    numbered: (id) => `組織${id}`,
    ofKey: 'APIキーの組織',
    refresh: '再取得',
    missing:
      'この組織のコピーはここに保存されていません。読み取るにはサービスに問い合わせるため、今月のリクエスト枠を使います。',
    unconfirmed:
      'サインインのときにサービスが応答しなかったため、この組織の情報はまだ保存されていません。読み取ると、今月のリクエストを使います。',
    read: '読み取る',
    age: {
      numbered: (id, ago) => `組織ID ${id}・読み取り：${ago}`,
      plain: (ago) => `読み取り：${ago}`,
    },
    cost: {
      stored: '保存されたコピー（無料）',
      spent: (requests) => `${requests}使用`,
    },
    plans: { standard: 'スタンダード', business: 'ビジネス' },
    labels: { plan: 'プラン', members: 'メンバー', address: '住所', created: '作成日' },
    administrator: (name) => `${name}（管理者）`,
    moreMembers: (count) => `ほか${count}人`,
    allFields: 'サービスから届いたすべての項目',
    changed: (names) => (names === '' ? '変更あり' : `変更あり：${names}`),
    andMore: (count) => `ほか${count}件`,
    unchanged: '変更なし',
    other: {
      heading: (id) => `これは組織${id}ではありません`,
      ofKey: (id) =>
        `APIキーでサインインしています。キーは1つの組織のものですが、それが${id}かどうかは分かりません。`,
      own: (id) => `組織${id}にサインインしています。1回のサインインで使えるのは1つの組織です。`,
      stays: '今の組織にはサインインしたままです。',
      goToKey: 'キーの組織を見る',
      goToOwn: (id) => `組織${id}へ`,
      ended: (organization) => `${organization}のセッションが終了しました`,
    },
  },
  sessionEnding: {
    endsIn: (span) => `このセッションはあと${span}で終了します。`,
    again: 'もう一度サインイン',
  },
  record: {
    items: (count) => `${count}件`,
    more: (count) => `残り${count}件は生のJSONにあります。`,
    raw: '生のJSON',
    cut: '先頭の部分だけを表示しています。「コピー」では全体をコピーします。',
  },
  copy: {
    label: 'コピー',
    copied: 'コピーしました',
    notCopied: 'ブラウザーがコピーできませんでした。文字を選択してコピーしてください。',
  },
}
