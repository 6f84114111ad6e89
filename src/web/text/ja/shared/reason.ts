import type { reason as English } from '../../en/shared/reason.ts'

export const reason: typeof English = {
  whyWeThinkSo: (reasons) => `そう考える理由：${reasons}`,
  long_wait_asked: 'サービスが1分より長く待つよう求めています。',
  short_wait_asked: 'サービスが最大1分待つよう求めています。',
  minute_has_requests_left:
    'この1分間のリクエストが残っているのに拒否されたため、今月の枠を使い切ったと思われます。',
  reset_is_far: 'リセットまで1分より長くかかります。',
  minute_used_up: 'この1分間のリクエストは残っていません。',
  few_were_sent: '送ったリクエストは1分間の上限よりはるかに少なくなっています。',
  refused_again: '1分待ったあとも拒否されました。',
  limit_not_named: 'どの上限に達したのか、応答からは分かりません。',
  payment_asked: 'サービスが支払いを求めています。',
  refused_near_the_end_of_the_month: '今月のリクエストをほぼ使い切ったところで拒否されました。',
  minute_used_up_before_refresh: 'アクセストークンの更新前に、この1分間のリクエストは残っていませんでした。',
  reset_is_tried: '1分間がリセットされたかどうかを、別のリクエストが確認しています。',
  month_used_by_app: (count, limit) =>
    `今月の${limit}件のうち、このアプリが最大${count}件を送った可能性があります。`,
  month_used_by_reading: (count, limit, since, age) =>
    `今月の${limit}件のうち、${age}前の読み取り値では${count}件が使われていて、その後さらに${since}件が送られた可能性があります。`,
  reserved_for_sign_in: (count) => `最後の${count}件はサインイン用です。`,
  reserved_for_person: (count) => `最後の${count}件は人の操作用です。`,
  one_try_a_minute: 'その間は1分間に1回だけ試し、ほかのリクエストから5秒以内には送りません。',
  one_request_a_minute: 'その間は1分間に1件だけ送ります。',
}
