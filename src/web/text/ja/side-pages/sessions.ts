import type { sessions as English } from '../../en/side-pages/sessions.ts'

export const sessions: typeof English = {
  title: '自分のセッション',
  whose: {
    oauth: 'このブラウザーのセッションと、コードでつないだ端末のセッションです。',
    api_key: 'あなたのAPIキーで開いたすべてのブラウザーのセッションです。',
  },
  most: (count) => `${count}件までです。新しいセッションを開くと、最も古いものが終了します。`,
  device: 'ほかの端末で開く',
  links: '残りを共有する：閲覧リンク',
  loading: 'セッションを読み込んでいます…',
  browserOn: (browser, system) => `${system}の${browser}`,
  anotherBrowser: 'その他のブラウザー',
  thisBrowser: 'このブラウザー',
  name: {
    open: 'このブラウザーに名前を付ける',
    label: 'このブラウザーの名前',
    hint: '組織の人がリクエストの記録で見る名前です。空欄にするとブラウザーの種類を表示します。',
    save: '保存',
    cancel: 'キャンセル',
    saved: (name) => `このブラウザーの名前を「${name}」にしました。`,
    removed: 'このブラウザーの名前を削除しました。',
    faults: {
      name_too_long: (most) => `${most}文字以内で入力してください。`,
      name_has_hidden_characters: () => '改行や見えない文字は使えません。',
    },
  },
  opened: (date) => `開始：${date}`,
  lastSeen: (date) => `最終利用：${date}`,
  signOutHere: 'ここでサインアウト',
  end: '終了',
  ended: (browser) => `${browser}のセッションを終了しました。`,
  noOther: 'ほかのセッションはありません。',
  endOthers: 'ほかをすべて終了',
  othersEnded: (count) => `ほかの${count}件のセッションを終了しました。`,
}
