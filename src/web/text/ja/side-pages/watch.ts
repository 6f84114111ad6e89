import type { watch as English } from '../../en/side-pages/watch.ts'

export const watch: typeof English = {
  title: '閲覧リンク',
  lead: 'リンクを知っている人は、残りの回数だけを見られます。見てもリクエストは使いません。',
  most: (count) => `${count}件までです。組織の人は誰でも一覧を見て、取り消せます。`,
  loading: 'リンクを読み込んでいます…',
  none: '組織の閲覧リンクはまだありません。',
  make: 'リンクを作成',
  name: 'リンクの名前',
  days: '有効日数',
  faults: {
    name_missing: () => '用途が分かる名前を付けてください。',
    name_too_long: (most) => `${most}文字以内で入力してください。`,
    name_has_hidden_characters: () => '改行や見えない文字は使えません。',
    days_not_in_range: () => '1日から365日までで入力してください。',
  },
  made: (name) => `リンク「${name}」を作成しました。表示は今回だけなので、今コピーしてください。`,
  address: 'ページのリンク',
  wall: '壁の画面用',
  copy: 'コピー',
  copied: 'コピーしました',
  refused: 'ブラウザーがコピーを許可しませんでした。',
  ends: (date) => `期限：${date}`,
  unused: 'まだ使われていません',
  used: (day, browser) => `最終利用：${day}、${browser}`,
  withdraw: '取り消す',
  withdrawn: (name) => `リンク「${name}」を取り消しました。`,
  full: '新しく作成するには、先にリンクを取り消してください。',
  opening: 'リンクを開いています…',
  until: (date) => `${date}まで残りの回数を表示します。見てもリクエストは使いません。`,
  nothing: {
    title: 'このリンクでは何も表示できません',
    ended: '取り消されたか、期限が切れました。リンクをくれた人に新しいリンクを頼んでください。',
    incomplete:
      '「#」から後が欠けています。開いたページのアドレスには含まれません。リンク全体を頼んでください。',
    refused: 'Cookieが拒否されました。このアドレスのCookieを許可して、再読み込みしてください。',
  },
}
