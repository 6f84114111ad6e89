import type { signIn as English } from '../en/sign-in.ts'

export const signIn: typeof English = {
  title: 'サインイン',
  lead: '組織の情報と、リクエスト枠の残りを確認できます。',
  done: 'サインアウトしました',
  ended: {
    elsewhere: '別のブラウザーの「自分のセッション」一覧で終了されました。',
    too_many: (most) =>
      `${most}個のセッションのうち最も古いものだったため、新しいセッションが開かれたときに終了しました。`,
  },
  below: { sign_in: '下でサインインする', again: '下でもう一度試す' },
  otherAddress: {
    words: (home) => `サービスは ${home} に戻るため、サインインもそこから始める必要があります。`,
    go: (home) => `${home} へ移動`,
  },
  organization: {
    label: '組織ID、またはプロジェクト一覧のアドレス',
    hint: 'プロジェクト一覧のアドレスの organization_id= の後にある数字です。',
    read: (id) => `組織 ${id}`,
    button: 'サインイン・1リクエスト',
    busy: 'サービスへ移動しています…',
    empty: '組織IDを入力してください。',
    noId: '組織IDは1001のような1以上の整数です。',
    noIdInAddress: 'このアドレスには organization_id がないか、2つ以上あります。',
  },
  key: {
    summary: '代わりにAPIキーを使う',
    label: 'APIキー',
    button: 'キーでサインイン・1リクエスト',
    busy: 'キーを確認しています…',
    empty: 'APIキーを貼り付けてください。',
    invalid: 'APIキーに空白や特殊文字は含まれません。',
  },
}
