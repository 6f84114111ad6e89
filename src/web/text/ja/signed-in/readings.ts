import type { readings as English } from '../../en/signed-in/readings.ts'

export const readings: typeof English = {
  planPage: 'プランページ',
  usedSoFar: (page) => `${page}に表示された使用済みの件数`,
  count: 'プランページに表示された使用済みの件数',
  save: '保存',
  enteredAgo: (ago) => `入力：${ago}。`,
  saved: (count) => `保存しました：使用済み${count}件。`,
  errors: {
    count: (most) => `プランページに表示された数を、0から${most}までの整数で入力してください。`,
    readAt: '今月の、すでに過ぎた日時を入力してください。',
  },
  more: 'これまでの件数',
  readAt: '見た日時（お使いの地域の時刻）',
  tooMany: (most) => `今月は${most}件の入力がありました。これ以上は入力できません。`,
  question: '月の数がリセットされましたか？それとも、前の数が間違っていましたか？',
  lower: (count, earlier) =>
    `${count}は前に入力された${earlier}より小さい数です。月の数は増えるだけで、減ることはありません。`,
  lowerThanUnknown: (count) =>
    `${count}は前に入力された数より小さい数です。月の数は増えるだけで、減ることはありません。`,
  wasReset: 'リセットされた',
  correct: '前の数を訂正する',
  none: '今月の件数はまだ入力されていません。',
  list: '今月の件数',
  read: (date) => `${date}に確認`,
  by: { you: '自分が入力', another: 'ほかの人またはブラウザーが入力' },
  undo: '取り消す',
  undoOf: (count) => `件数${count}を取り消す`,
  removed: (count) => `件数${count}を取り消しました。`,
}
