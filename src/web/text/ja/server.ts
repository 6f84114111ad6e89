import type { server as English } from '../en/server.ts'

export const server: typeof English = {
  noScript: {
    title: 'PlimsollにはJavaScriptが必要です',
    message: 'このアドレスで許可してから、ページを再読み込みしてください。',
  },
  posted: {
    title: 'サービスがサインインに使われない方法でブラウザーを戻しました',
    message: 'POSTが使われました。サービスには何も送られておらず、サインインしていません。',
  },
  /** In place of a page whose script or words cannot be loaded. */
  failure: {
    title: 'Plimsollを読み込めませんでした',
    message: 'ページの一部が届きませんでした。失われたものはなく、リクエストも使われていません。',
    reload: '再読み込み',
  },
}
