import type { sessions as English } from '../../en/side-pages/sessions.ts'

export const sessions: typeof English = {
  title: '自分のセッション',
  whose: {
    oauth: 'サービスからは誰なのか分からないため、このブラウザーで開いたセッションだけを表示しています。',
    api_key: 'あなたのAPIキーで開いたすべてのブラウザーのセッションです。',
  },
  most: (count) =>
    `同時に開けるのは${count}件までで、超えると最も古いものが終了します。このページはサービスにリクエストを送りません。`,
  loading: 'セッションを読み込んでいます…',
  browserOn: (browser, system) => `${system}の${browser}`,
  anotherBrowser: 'その他のブラウザー',
  thisBrowser: 'このブラウザー',
  opened: (date) => `開始：${date}`,
  lastSeen: (date) => `最終利用：${date}`,
  signOutHere: 'ここでサインアウト',
  end: '終了',
  ended: (browser) => `${browser}のセッションを終了しました。`,
  noOther: 'ほかに開いているセッションはありません。',
  endOthers: 'ほかをすべて終了',
  othersEnded: (count) => `ほかの${count}件のセッションを終了しました。`,
}
