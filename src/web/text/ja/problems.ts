import type { problem as English } from '../en/problems.ts'

const RELOAD = 'ページを再読み込みして、もう一度試してください。'
const LATER = '数分後にもう一度試してください。'

const OUTDATED = { title: 'このページはこのままでは使えません', message: RELOAD }

export const problem: typeof English = {
  invalid_request: OUTDATED,
  invalid_organization_id: {
    title: '組織IDは1以上の整数です',
    message: 'プロジェクト一覧のアドレスで「organization_id=」の後にある数字を確認してください。',
  },
  state_mismatch: {
    title: 'このサインインはこのブラウザーで始められたものではありません',
    message: '別のタブやブラウザーで始められたか、すでに終わっているか、Cookieがブロックされています。',
  },
  login_expired: {
    title: 'サインインに時間がかかりすぎました',
    message: 'サインインは10分以内に終えてください。',
  },
  authorization_failed: {
    title: 'サービスがサインインを終了しました',
    message: 'アクセスが許可されませんでした。理由は示されていません。',
  },
  signed_out: {
    title: 'セッションが終了しました',
    message: '期限が切れたか、別のタブで終了しました。',
  },
  code_rejected: {
    title: 'サービスがサインインコードを受け付けませんでした',
    message: 'コードはすでに使われたか、期限が切れています。',
  },
  key_rejected: {
    title: 'サービスがAPIキーを受け付けませんでした',
    message: 'キー全体をコピーしたか、組織の設定にそのキーがまだあるかを確認してください。',
  },
  credential_refused: {
    title: 'このセッションはサービスで無効になりました',
    message: 'もう一度サインインしてください。',
  },
  access_withdrawn: {
    title: 'アクセスの許可が取り消されたか、期限が切れました',
    message: 'もう一度サインインして、許可してください。',
  },
  access_denied: {
    title: '許可されませんでした',
    message: '「拒否」を押したか、この組織のメンバーではありません。',
  },
  not_confirmed: {
    title: 'サービスはまだこのサインインを確認していません',
    message: '組織を一度読み取ると、あなたの組織であることを確認できます。',
  },
  organization_refused: {
    title: 'サービスがこの組織の表示を許可しませんでした',
    message: '組織の番号が違うか、メンバーではない可能性があります。',
  },
  forged_request: OUTDATED,
  not_found: {
    title: 'このアドレスには何もありません',
    message: 'アドレスが間違っているか、ここにあったものがなくなっています。',
  },
  method_not_allowed: OUTDATED,
  lower_reading: OUTDATED,
  evidence_changed: {
    title: '根拠が変わりました',
    message: 'ページを開いた後に、観測された内容が変わりました。',
  },
  too_large: OUTDATED,
  unsupported_media_type: OUTDATED,
  costs_a_request: OUTDATED,
  rate_limited: {
    title: 'この1分間のリクエストを使い切りました',
    message: '1分以内にまた使えます。ボタンは自動的に元に戻ります。',
  },
  month_suspected: {
    title: '今月のリクエストを使い切ったようです',
    message: 'もう一度試せます。リクエストを使うことがあります。',
  },
  limit_unknown: {
    title: '上限に達しましたが、どの上限かサービスは示していません',
    message: '1分後にまた使えます。ボタンは自動的に元に戻ります。',
  },
  too_many_streams: OUTDATED,
  too_many_attempts: {
    title: 'お使いのネットワークからの試行が多すぎます',
    message: '数分お待ちください。リクエストは使われていません。',
  },
  unknown: {
    title: '問題が発生しました',
    message: 'これはPlimsollのエラーです。サポートIDがあれば、ログで原因を確認できます。',
  },
  client_rejected: {
    title: 'サービスがこのアプリケーションを受け付けません',
    message: '直せるのはPlimsollの運用者だけです。登録を確認するよう伝えてください。',
  },
  upstream_down: { title: 'サービスに接続できません', message: LATER },
  upstream_failed: {
    title: 'サービスで問題が発生しました',
    message: `操作に問題はありません。${LATER}`,
  },
  unexpected_reply: { title: 'サービスの応答を読み取れませんでした', message: LATER },
  refresh_failed: {
    title: 'サービスは今、新しいアクセストークンを発行していません',
    message: 'サインインしたままです。30秒後にもう一度試してください。',
  },
  store_unavailable: {
    title: 'データベースに接続できません',
    message: `記録できない間は何も送りません。${LATER}`,
  },
  bff_unreachable: {
    title: 'Plimsollに接続できません',
    message: '接続を確認してください。サーバーが停止している可能性もあります。',
  },
  upstream_timeout: {
    title: 'サービスの応答に時間がかかりすぎています',
    message: `リクエストが数えられた可能性があります。${LATER}`,
  },
}
