import type { callback as English } from '../../en/shared/callback.ts'

export const callback: typeof English = {
  title: 'サインイン中',
  finishing: 'サインインを完了しています…',
  words: 'サービスから応答がありました。サインインコードを交換し、組織を一度読み取っています。',
  cancel: 'キャンセル',
  failed: 'サインインを完了できませんでした',
  again: '最初からやり直す',
  denied: (id) =>
    `サービスはアクセスを許可しませんでした。「拒否」を押したか、組織${id}のメンバーではありません。`,
  serviceFailed: {
    title: 'サインイン中にサービスでエラーが発生しました',
    message: (error) =>
      `サービス自身のエラー（${error}）です。このページやあなたの操作が原因ではありません。セッションは開かれていません。しばらくしてからもう一度試してください。`,
  },
  requestRefused: {
    title: 'サービスがアクセスの要求を拒否しました',
    message: (error) =>
      `この問題はPlimsollの運用者だけが解決できます。エラーコード「${error}」を運用者に伝えてください。`,
  },
  unknownId: {
    title: (id) => `組織${id}はサービスにありません`,
    message:
      'プロジェクト一覧のアドレスにある番号を確認してください。番号が正しい場合は、エラーコード「invalid_request」をPlimsollの運用者に伝えてください。',
  },
  malformed: {
    title: 'サービスの応答を使えません',
    message:
      '応答の一部が重複しているか、正しくないため、どれを信頼できるか分かりません。セッションは開かれていません。',
  },
  noCookie: {
    title: 'このブラウザーはサインインのCookieを保存しませんでした',
    message:
      'このCookieがないとセッションを開けません。このアドレスのCookieを許可してから、やり直してください。',
    http: 'このCookieがないとセッションを開けません。このアドレスのCookieを許可してから、やり直してください。Safariはこのhttpのアドレスに対してCookieを保存しません。別のブラウザーか、httpsのアドレスを使ってください。',
  },
}
