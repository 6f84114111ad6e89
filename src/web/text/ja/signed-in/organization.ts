import type { organization as English } from '../../en/signed-in/organization.ts'

export const organization: typeof English = {
  numbered: (id) => `組織${id}`,
  ofKey: 'APIキーの組織',
  refresh: '再読み取り',
  anyway: 'それでも試す',
  again: 'もう一度試す',
  looking: '保存されたコピーを探しています（無料）…',
  missing:
    'この組織のコピーはここに保存されていません。読み取るにはサービスに問い合わせるため、今月のリクエスト枠を使います。',
  read: '読み取る',
  signInAgain: 'もう一度サインイン',
  asOf: {
    signIn: (requests) => `サインイン時に読み取り・${requests}`,
    signInAgo: (ago, requests) => `サインイン時（${ago}）に読み取り・${requests}`,
    stored: (ago) => `${ago}に読み取り・保存されたコピー、無料`,
    spent: (ago, requests) => `${ago}に読み取り・${requests}使用`,
  },
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
