import type { burnDown as English } from '../../en/signed-in/burn-down.ts'

export const burnDown: typeof English = {
  heading: '今月の残りのリクエスト',
  loading: 'グラフを読み込んでいます…',
  ofOrganization: (left, limit, even) =>
    `最新の読み取り値とその後のリクエストによると、残りは${limit}件中${left}件です。均等に使った場合の残りは${even}件です。`,
  ofAppAlone: (left, limit, even) =>
    `ほかの人も同じ枠を使うため、残りは${limit}件中多くても${left}件です。均等に使った場合の残りは${even}件です。`,
  usedUp: 'リセットまで残りはありません。',
  tooEarly: '予測するにはまだ早すぎます。',
  atMost: (left) => `多くても${left}`,
  sources: {
    own: 'このアプリのリクエストのみ',
    reading: '実数の読み取り値',
    organization: '最新の読み取り値とその後のリクエスト',
  },
  point: (date, left, source) => `${date}：残り${left}件（${source}）`,
  points: 'グラフの点',
  legend: {
    own: 'このアプリのみ',
    pace: '均等に使った場合',
    organization: '組織全体',
    reading: '読み取り値',
    forecast: '現在のペース',
    zone: '月の数がリセットされる可能性のある時間',
  },
  table: '同じ内容を表で見る',
  columns: { at: '日時', left: '残り', even: '均等に使った場合', source: '根拠' },
}
