import type { callback as English } from '../../en/shared/callback.ts'

export const callback: typeof English = {
  title: 'サインイン中',
  finishing: 'サインインしています…',
  words: '組織の情報を1回読み取ります。',
  cancel: 'キャンセル',
  failed: 'サインインしていません',
  again: '最初からやり直す',
  denied: (id) => `アクセスが許可されませんでした。「拒否」を押したか、組織${id}のメンバーではありません。`,
  serviceFailed: {
    title: 'サービスで問題が発生しました',
    message: (error) => `操作に問題はありません。数分後にもう一度試してください。エラーコード：${error}`,
  },
  requestRefused: {
    title: 'サービスがアクセスの要求を拒否しました',
    message: (error) => `Plimsollの運用者だけが解決できます。エラーコードを伝えてください：${error}`,
  },
  unknownId: {
    title: (id) => `組織${id}はサービスにありません`,
    message:
      'プロジェクト一覧のアドレスにある番号を確認してください。番号が正しい場合は、エラーコード「invalid_request」をPlimsollの運用者に伝えてください。',
  },
  malformed: {
    title: 'サービスの応答を読み取れませんでした',
    message: '応答の一部が欠けているか、間違っているか、重複しています。最初からやり直してください。',
  },
  noCookie: {
    title: 'サインイン用のCookieが保存されませんでした',
    message: 'このアドレスのCookieを許可してから、やり直してください。',
    http: 'このアドレスのCookieを許可してから、やり直してください。SafariはhttpのアドレスのCookieを保存しません。別のブラウザーか、httpsのアドレスを使ってください。',
  },
}
