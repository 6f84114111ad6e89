import type { signIn as English } from '../../en/shared/sign-in.ts'

export const signIn: typeof English = {
  title: 'サインイン',
  lead: '組織の情報と、残りのリクエスト数を確認できます。',
  done: 'サインアウトしました',
  ended: {
    elsewhere: '別のブラウザーで終了しました。',
    tooMany: (most) =>
      `セッションは${most}件までです。新しいセッションを開いたため、最も古いこのセッションが終了しました。`,
  },
  below: { sign_in: '下でサインインする', again: '下でもう一度試す' },
  noCookies: 'このブラウザーはこのアドレスのCookieをブロックしています。サインインの前に許可してください。',
  otherAddress: {
    words: (home) => `${home}でサインインしてください。サービスからはそこに戻ります。`,
    go: (home) => `${home}へ移動`,
  },
  direct: (name, id) => `${name}（${id}）・`,
  directWithoutName: (id) => `組織${id}・`,
  sandbox: {
    ribbon: 'サンドボックス',
    words: 'このコンピューター上の練習用サービスです。実在のデータはなく、料金もかかりません。',
    control: 'サンドボックスの管理画面',
  },
  last: {
    heading: 'このブラウザーで最近使った組織',
    remove: (name, id) => `${name}（${id}）を一覧から削除`,
    removeWithoutName: (id) => `組織${id}を一覧から削除`,
    removeAll: 'すべて削除',
    words: 'サインアウトすると一覧も削除されます。',
  },
  organization: {
    label: '組織ID、またはプロジェクト一覧のアドレス',
    hint: 'プロジェクト一覧のアドレスで、「organization_id=」の後にある数字です。',
    read: (id) => `組織${id}`,
    button: (requests) => `サインイン・${requests}`,
    busy: 'サービスへ移動しています…',
    price: (requests, perMonth) =>
      `サインインに${requests}を使います。Standardプランは月${perMonth}リクエストです。`,
    faults: {
      empty: '組織IDを入力してください。',
      not_an_id: '組織IDは1001のような1以上の整数です。',
      not_in_address: 'このアドレスには「organization_id」がありません。',
      several_ids: '組織IDが複数あります。1つだけ入力してください。',
    },
  },
  where: {
    summary: '組織IDはどこにありますか？',
    words:
      'サービスでプロジェクト一覧を開いてください。アドレスの「organization_id=」の後の数字が組織IDです。',
    picture: 'ブラウザーのアドレス欄。アドレスの最後の「organization_id=1001」に印が付いています。',
    paste: 'アドレス全体をコピーして、上の欄に貼り付けることもできます。',
  },
  key: {
    summary: '代わりにAPIキーを使う',
    label: 'APIキー',
    hint: '管理者が組織のAPIキー設定で発行します。',
    button: 'キーでサインイン・1リクエスト',
    busy: 'キーを確認しています…',
    empty: 'APIキーを貼り付けてください。',
    invalid: 'APIキーに空白や特殊文字は含まれません。',
  },
  guide: '管理者向けの設定ガイド',
}
