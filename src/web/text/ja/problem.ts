import type { problem as English } from '../en/problem.ts'

const OTHER_VERSION = 'ページとサーバーのバージョンが違います。ページを読み込み直すと直ることがあります。'

export const problem: typeof English = {
  invalid_request: {
    title: 'リクエストを理解できません',
    message:
      'サーバーはページから送られた内容を受け付けませんでした。ページを読み込み直すと直ることがあります。',
  },
  invalid_organization_id: {
    title: '組織IDは1以上の整数です',
    message: 'プロジェクト一覧のアドレスにある organization_id の後の数字を確認してください。',
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
    message: '許可のないまま戻されました。Plimsollが知っている理由は示されませんでした。',
  },
  signed_out: {
    title: 'セッションが終了しました',
    message: '期限が切れたか、別のタブで終了しました。',
  },
  code_rejected: {
    title: 'サービスがサインイン用のコードを受け付けませんでした',
    message: 'コードはすでに使われたか、期限が切れています。セッションは開かれていません。',
  },
  key_rejected: {
    title: 'サービスがAPIキーを受け付けませんでした',
    message: 'キー全体がコピーされているか、組織の設定にそのキーがまだあるかを確認してください。',
  },
  credential_refused: {
    title: 'サービスがこの接続を受け付けなくなりました',
    message: 'このセッションで使っていた許可が、サービスで無効になりました。',
  },
  access_withdrawn: {
    title: 'アクセスの許可が取り消されたか、期限が切れました',
    message: '許可が取り消されたか、期限が切れました。',
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
    title: 'サービスはこの組織をあなたに表示しません',
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
    title: '今月の以前の読み取り値のほうが大きい値です',
    message: '月の数値は増えるだけなので、月がリセットされたか、どちらかの値が間違っています。',
  },
  evidence_changed: {
    title: '根拠がこれを示していません',
    message: 'ページを読み込んだ後に、観測された内容が変わりました。',
  },
  too_large: { title: 'リクエストが大きすぎます', message: '入力された内容が長すぎます。' },
  unsupported_media_type: { title: 'リクエストはJSONである必要があります', message: OTHER_VERSION },
  costs_a_request: {
    title: 'リクエストが必要ですが、まだ指示されていません',
    message: '保存された写しがないため、サービスに問い合わせる必要があります。料金はボタンに示されています。',
  },
  rate_limited: {
    title: 'この1分間のリクエストを使い切りました',
    message: '1分以内にまた使えるようになります。ボタンは自動的に戻ります。',
  },
  month_suspected: {
    title: '今月のリクエストを使い切ったようです',
    message: '思い違いかもしれません。もう一度試せますが、1リクエストを使うことがあります。',
  },
  limit_unknown: {
    title: '上限に達しましたが、どの上限かサービスは示していません',
    message: '念のため、1分間は何も送りません。ボタンは自動的に戻ります。',
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
    message: 'これはPlimsollのエラーで、ログに記録されています。',
  },
  client_rejected: {
    title: 'サービスがこのアプリケーションを受け付けません',
    message: 'ここでの設定どおりに登録されていません。直せるのはPlimsollの管理者だけです。',
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
