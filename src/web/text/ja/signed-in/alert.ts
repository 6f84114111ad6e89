import type { alert as English } from '../../en/signed-in/alert.ts'

export const alert: typeof English = {
  mark: {
    suspected: '■ おそらく使い切り',
    none: '■ 残りなし',
    left: (count) => `▲ 残り${count}`,
    atMost: (count) => `▲ 残り最大${count}`,
  },
  available: 'リクエストを再び送れます',
  suspected: '今月分をおそらく使い切りました',
  none: '今月のリクエストは残っていません',
  used: (percent) => `今月の${percent}%を使った可能性があります`,
  refused: 'サービスがリクエストを拒否しました。',
  reset: (when) => `リセットは${when}です。`,
  setting: {
    on: (levels) => `${levels}%で通知：オン。`,
    off: (levels) => `${levels}%で通知：オフ。`,
    levels: (levels, last) => `${levels}、${last}`,
    comma: '、',
    whileOpen: '通知はページを開いている間だけ届きます。',
    tried: '通知をオンにしました',
    unable: 'このブラウザーでは通知できません。タイトルとアイコンに表示します。',
    turnOn: 'オンにする',
    turnOff: 'オフにする',
    blocked: 'ブラウザーがこのページの通知をブロックしています。ブラウザーの設定で許可できます。',
  },
}
