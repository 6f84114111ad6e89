import type { app as English } from '../../en/shared/app.ts'

export const app: typeof English = {
  requests: (low, high) => `${low === high ? low : `${low}～${high}`}リクエスト`,
  opening: 'Plimsollを開いています…',
  loadingPage: 'ページを読み込んでいます…',
  signingOut: 'サインアウトしています…',
  tryAgainFree: 'もう一度試す・無料',
  reload: '再読み込み',
  goToStart: '最初のページへ',
  newVersion: {
    title: '新しいバージョンがあります',
    message: '再読み込みすると入力は失われます。',
  },
  notFound: {
    title: 'ページがありません',
    heading: 'このアドレスには何もありません',
    words: 'アドレスが間違っている可能性があります。組織のページは「/organizations/1001」のような形です。',
  },
  broken: {
    heading: 'このページを表示できませんでした',
    words: 'エラーが発生しました。失われたデータも、使われたリクエストもありません。',
  },
  unreported: {
    title: 'このブラウザーでのみサインアウト',
    heading: 'このブラウザーでのみサインアウトしました',
    words: (until) =>
      `サーバーの確認が取れませんでした。このページのデータはすべて消去しましたが、サーバー側のセッションは${until === undefined ? '' : `遅くとも${until}まで`}残っている可能性があります。サインアウトは自動的に再試行されます。次にこのページを開いたときも再試行されます。`,
    problem: (title, supportId) =>
      supportId === undefined ? `${title}。` : `${title}（サポートID：${supportId}）。`,
    again: 'もう一度サインアウト',
  },
}
