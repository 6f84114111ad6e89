import type { burnDown as English } from '../../en/signed-in/burn-down.ts'

export const burnDown: typeof English = {
  caption: '残りのリクエスト（日ごと）',
  captionAtMost: '残りリクエストの最大数（日ごと）',
  evenPace: '均等ペース',
  today: '今日',
  atMost: (left) => `最大${left}`,
  point: (date, left) => `${date}：残り${left}件`,
  end: {
    left: (count) => `リセット時に残り${count}件`,
    runsOut: (day) => `${day}に残り0件`,
    early: (end) => `${end}（早い段階の予測）`,
  },
  summary: (left, limit) => `${limit}件中、残り${left}件です。`,
  summaryAtMost: (left, limit) =>
    `${limit}件中、残り最大${left}件です。ほかのアプリが使った分は含まれていません。`,
  even: (count) => `均等ペースなら残り${count}件です。`,
  forecast: (end) => `予測：${end}。`,
  open: '残りのリクエスト（日ごと）：内訳を見る',
}
