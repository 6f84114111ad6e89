import type { problem as English } from '../../en/shared/problem.ts'

const OTHER_VERSION = 'ページとサーバーのバージョンが違います。ページを読み込み直すと直ることがあります。'

export const problem: typeof English = {
  invalid_request: {
    title: 'リクエストを理解できません',
    message:
      'サーバーはページから送られた内容を受け付けませんでした。ページを読み込み直すと直ることがあります。',
  },
  invalid_organization_id: {
    title: '組織IDは1以上の整数です',
    message: 'プロジェクト一覧のアドレスで「organization_id=」の後にある数字を確認してください。',
  },
  state_mismatch: {
    title: 'このサインインはこのブラウザーで始められたものではありません',
    message:
      '別のタブやブラウザーで始められたか、すでに終わっているか、このブラウザーがCookieを保存していません。セッションは開かれていません。',
  },
  login_expired: {
    title: 'サインインに時間がかかりすぎました',
    message: '安全のため、サインインは10分以内に終える必要があります。',
  },
  authorization_failed: {
    title: 'サービスがサインインを終了しました',
    message: '許可も、Plimsollに分かる理由もないまま戻されました。',
  },
  signed_out: {
    title: 'セッションが終了しました',
    message: '期限が切れたか、別のタブで終了しました。',
  },
  code_rejected: {
    title: 'サービスがサインインコードを受け付けませんでした',
    message: 'コードはすでに使われたか、期限が切れています。セッションは開かれていません。',
  },
  key_rejected: {
    title: 'サービスがAPIキーを受け付けませんでした',
    message: 'キー全体がコピーされているか、組織の設定にそのキーがまだあるかを確認してください。',
  },
  credential_refused: {
    title: 'サービスがこの接続を受け付けなくなりました',
    message: 'このセッションの許可は無効になりました。もう一度サインインしてください。',
  },
  access_withdrawn: {
    title: 'アクセスの許可が取り消されたか、期限が切れました',
    message: 'もう一度サインインして、許可してください。',
  },
  access_denied: {
    title: '許可されませんでした',
    message: 'サービスはアクセスを許可しませんでした。「拒否」を押したか、この組織のメンバーではありません。',
  },
  not_confirmed: {
    title: 'サービスはまだこのサインインを確認していません',
    message: '組織を一度読み取ると、あなたの組織であることをサービスが確認できます。',
  },
  organization_refused: {
    title: 'サービスがこの組織の表示を許可しませんでした',
    message: '組織の番号が違うか、その組織のメンバーではない可能性があります。',
  },
  forged_request: {
    title: 'このページからのリクエストではありません',
    message:
      'サーバーは自分のページからのリクエストだけを受け付けます。ページを読み込み直すと直ることがあります。',
  },
  not_found: {
    title: 'このアドレスには何もありません',
    message: 'アドレスが間違っているか、ここにあったものがなくなっています。',
  },
  method_not_allowed: { title: 'このアドレスでは使えない操作です', message: OTHER_VERSION },
  lower_reading: {
    title: '今月の前の読み取り値のほうが大きい数です',
    message: '月の数は増えるだけなので、リセットされたか、どちらかの数が間違っています。',
  },
  evidence_changed: {
    title: '根拠がこれを示していません',
    message: 'ページを読み込んだ後に、観測された内容が変わりました。',
  },
  too_large: { title: 'リクエストが大きすぎます', message: '入力された内容が長すぎます。' },
  unsupported_media_type: { title: 'リクエストはJSONである必要があります', message: OTHER_VERSION },
  costs_a_request: {
    title: '1リクエストが必要です。まだ送っていません',
    message:
      '保存されたコピーがないため、サービスに問い合わせる必要があります。必要なリクエスト数はボタンに表示されています。',
  },
  rate_limited: {
    title: 'この1分間のリクエストを使い切りました',
    message: '1分以内にまた使えるようになります。ボタンは自動的に使えるようになります。',
  },
  month_suspected: {
    title: '今月のリクエストを使い切ったようです',
    message: 'この判断は誤りかもしれません。もう一度試せますが、リクエストを使うことがあります。',
  },
  limit_unknown: {
    title: '上限に達しましたが、どの上限かサービスは示していません',
    message: '念のため、1分間は何も送りません。ボタンは自動的に使えるようになります。',
  },
  too_many_streams: {
    title: 'このセッションのページが多く開かれすぎています',
    message: 'このブラウザーで開いているPlimsollのページをいくつか閉じてください。',
  },
  too_many_attempts: {
    title: 'お使いのネットワークからの試行が多すぎます',
    message:
      '同じネットワークアドレスから数分の間に多くのサインインが試されました。サービスには何も送られていません。',
  },
  unknown: {
    title: '問題が発生しました',
    message: 'これはPlimsollのエラーです。サポートIDが表示されている場合は、ログで原因を確認できます。',
  },
  client_rejected: {
    title: 'サービスがこのアプリケーションを受け付けません',
    message: 'ここでの設定どおりに登録されていません。直せるのはPlimsollの運用者だけです。',
  },
  upstream_down: {
    title: 'サービスに接続できません',
    message: 'リクエストが届かなかったか、応答がありませんでした。しばらくしてからもう一度試してください。',
  },
  upstream_failed: {
    title: 'サービスでエラーが発生しました',
    message:
      'リクエストは届きましたが、サービスが処理に失敗しました。しばらくしてからもう一度試してください。',
  },
  unexpected_reply: {
    title: 'サービスの応答が想定外でした',
    message: 'Plimsollが理解できない応答のため、表示していません。',
  },
  refresh_failed: {
    title: 'サービスは今、新しいアクセストークンを発行していません',
    message:
      'サインインしたままで、何も消費されていません。遅くとも30秒後にはリクエストを送れるようになります。',
  },
  store_unavailable: {
    title: 'データベースに接続できません',
    message: '記録できない間は何も送りません。しばらくしてからもう一度試してください。',
  },
  bff_unreachable: {
    title: 'Plimsollに接続できません',
    message: '通信が切れているか、サーバーが停止している可能性があります。',
  },
  upstream_timeout: {
    title: 'サービスの応答に時間がかかりすぎています',
    message:
      'リクエストは届いた可能性があり、数えられることがあります。しばらくしてからもう一度試してください。',
  },
}
