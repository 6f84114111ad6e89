import type { months as English } from '../../en/side-pages/months.ts'

export const months: typeof English = {
  title: '過去の月',
  lead: 'この12か月に組織が使ったリクエストを、分かる範囲で示します。',
  loading: '過去の月を読み込んでいます…',
  first: '最初の月です。来月から比べられます。',
  plans: 'どのプランで足りたか',
  enough: (plan, limit, enough, all) =>
    `${plan}プラン（月${limit}件）なら、${all}か月のうち${enough}か月で確実に足りました。`,
  notEnough: {
    too_little: (list) => `足りない月：${list}。`,
    running: (list) => `はっきりしない月（まだ途中）：${list}。`,
    others_unknown: (list) => `はっきりしない月（ほかのアプリの分が不明）：${list}。`,
    read_early: (list) => `はっきりしない月（最後の入力が早すぎる）：${list}。`,
    inexact: (list) => `はっきりしない月（件数に幅がある）：${list}。`,
  },
  unlimited: (plan) => `${plan}プランには月の上限がないため、どの月も使い切りません。`,
  known: '確実なのは、最後の3日間に件数が入力された、終わった月だけです。',
  heading: '月別',
  utc: '過去の月はUTCの日付で数えます。棒は順に、このアプリ、対象の可能性がある分、ほかのアプリです。',
  month: '月',
  own: 'このアプリ',
  others: 'ほかのアプリ',
  bar: 'リクエスト',
  plan: 'プラン',
  used: (count) => `${count}件`,
  byOthers: (count) => `ほか${count}件`,
  noOthers: 'ほかは不明',
  noPlan: 'プランは不明',
  limited: (plan, limit) => `${plan}（月${limit}件）`,
  ranOut: (plan, day) => `${plan}・${day}に使い切り`,
}
