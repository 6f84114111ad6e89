import type { organization as English } from '../../en/signed-in/organization.ts'

export const organization: typeof English = {
  heading: '組織',
  numbered: (id) => `組織${id}`,
  ofKey: 'APIキーの組織',
  refresh: '再読み込み',
  anyway: '再読み込みを試す',
  again: 'もう一度試す',
  looking: '保存されたコピーを探しています（無料）…',
  missing:
    'この組織のコピーはここに保存されていません。読み取るにはサービスに問い合わせるため、今月のリクエスト枠を使います。',
  read: '読み取る',
  signInAgain: 'もう一度サインイン',
  age: {
    numbered: (id, ago) => `組織ID ${id}・読み取り：${ago}`,
    plain: (ago) => `読み取り：${ago}`,
  },
  cost: {
    signIn: (requests) => `サインイン時に${requests}使用`,
    stored: '保存されたコピー（無料）',
    spent: (requests) => `${requests}使用`,
  },
  plans: { standard: 'スタンダード', business: 'ビジネス' },
  labels: { plan: 'プラン', members: 'メンバー', address: '住所', created: '作成日' },
  administrator: (name) => `${name}（管理者）`,
  moreMembers: (count) => `ほか${count}人`,
  comma: '、',
  changed: '変更あり',
  allFields: 'サービスから届いたすべての項目',
  other: {
    heading: (id) => `これは組織${id}ではありません`,
    ofKey: (id) =>
      `APIキーでサインインしています。キーは1つの組織のものですが、それが${id}かどうかは分かりません。`,
    own: (id) => `組織${id}にサインインしています。1回のサインインで使えるのは1つの組織です。`,
    stays: '今の組織にはサインインしたままです。',
    goToKey: 'キーの組織を見る',
    goToOwn: (id) => `組織${id}へ`,
  },
}
