import type { status as English } from '../../en/signed-in/status.ts'

export const status: typeof English = {
  blocked: '一時停止中：上限に達しました。',
  possible: 'リクエストを再び送れます。',
  low: { read: 'この1分間の読み取りが残りわずかです。', update: 'この1分間の更新が残りわずかです。' },
  none: { read: 'この1分間の読み取りは残っていません。', update: 'この1分間の更新は残っていません。' },
  reset: { read: '読み取りを再び使えます。', update: '更新を再び使えます。' },
  limits: '1分あたりの上限が変わりました。',
  month: {
    low: '今月のリクエストが残りわずかです。',
    none: '今月のリクエストは残っていません。',
    suspected: '今月のリクエストはおそらく使い切りました。',
    available: '今月のリクエストを再び使えます。',
  },
}
