import type { signIn as English } from '../../en/shared/sign-in.ts'

export const signIn: typeof English = {
  title: 'サインイン',
  lead: '組織の情報と、リクエスト枠の残りを確認できます。',
  done: 'サインアウトしました',
  ended: {
    elsewhere: '別のブラウザーの「自分のセッション」で終了されました。',
    tooMany: (most) =>
      `開けるセッションは${most}件までのため、新しいセッションが開かれたときに、最も古いこのセッションが終了しました。`,
  },
  below: { sign_in: '下でサインインする', again: '下でもう一度試す' },
  noCookies:
    'このブラウザーはこのアドレスのCookieを保存しないため、サインインを完了できません。先にCookieを許可してください。',
  otherAddress: {
    words: (home) => `サービスは${home}に戻るため、サインインもそこから始める必要があります。`,
    go: (home) => `${home}へ移動`,
  },
  direct: (name, id, requests) => `${name}（${id}）・${requests}`,
  directWithoutName: (id, requests) => `組織${id}・${requests}`,
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
      `サインインには${requests}を使い、組織を一度読み取ります。Standardプランで使えるのは月${perMonth}リクエストです。`,
    faults: {
      empty: '組織IDを入力してください。',
      not_an_id: '組織IDは1001のような1以上の整数です。',
      not_in_address: 'このアドレスには「organization_id」がありません。',
      several_ids: '異なる組織IDが複数含まれています。どれか1つを入力してください。',
    },
  },
  where: {
    summary: '組織IDはどこにありますか？',
    words:
      'サービスでプロジェクト一覧を開き、アドレスを見てください。「organization_id=」の後の数字が組織IDです。',
    picture: 'ブラウザーのアドレス欄。アドレスの最後の「organization_id=1001」に印が付いています。',
    paste: 'アドレス全体をコピーして、上の欄に貼り付けることもできます。',
  },
  key: {
    summary: '代わりにAPIキーを使う',
    label: 'APIキー',
    hint: '組織の設定のAPIキー設定で、管理者が発行します。',
    button: 'キーでサインイン・1リクエスト',
    busy: 'キーを確認しています…',
    empty: 'APIキーを貼り付けてください。',
    invalid: 'APIキーに空白や特殊文字は含まれません。',
  },
  guide: '管理者向けの設定ガイド',
}
