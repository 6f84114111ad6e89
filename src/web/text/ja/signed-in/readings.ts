import type { readings as English } from '../../en/signed-in/readings.ts'

export const readings: typeof English = {
  heading: '今月の実数',
  close: '閉じる',
  planPage: 'サービスのプランページを開く',
  lookFor:
    'そこに表示される月間アクセス数を、ここに入力してください。Plimsollはこのためにリクエストを送りません。',
  count: '月間アクセス数',
  earlier: '前に読み取った数の場合',
  readAt: '読み取った日時（お使いの地域の時刻）',
  save: '保存・無料',
  saved: (count) => `保存しました。今月は${count}件です。`,
  errors: {
    count: (most) => `プランページに表示された数を、0から${most}までの整数で入力してください。`,
    readAt: '今月の、すでに過ぎた日時を入力してください。',
  },
  tooMany: (most) => `今月は${most}件の読み取り値が入力されました。これ以上は受け付けられません。`,
  question: '月の数がリセットされましたか？それとも、前の数が間違っていましたか？',
  lower: (count, earlier) =>
    `${count}は前に読み取った${earlier}より小さい数です。月の数は増えるだけで、減ることはありません。`,
  lowerThanUnknown: (count) =>
    `${count}は前に読み取った数より小さい数です。月の数は増えるだけで、減ることはありません。`,
  wasReset: 'リセットされた',
  correct: '前の数を訂正する',
  none: '今月の読み取り値はまだありません。',
  list: '今月の実数の読み取り値',
  read: (date) => `${date}に読み取り`,
  by: { you: '自分が入力', another: 'ほかの人またはブラウザーが入力' },
  undo: '取り消す',
  undoOf: (count) => `読み取り値${count}を取り消す`,
  removed: (count) => `読み取り値${count}を取り消しました。`,
}
