import type { guide as English } from '../../en/shared/guide.ts'

export const guide: typeof English = {
  title: '管理者向けの設定ガイド',
  lead: '管理者が一度だけPlimsollを登録します。その後、組織のメンバーがサインインできます。',
  register: {
    heading: '手順1：アプリケーションを登録する',
    where:
      'サービスで組織の設定を開き、アプリケーション設定で「アプリケーションを追加」を選びます。操作できるのは組織の管理者だけです。',
    name: 'Plimsollなどの名前を入力します。説明は空のままで構いません。',
    redirect: 'リダイレクトURIには次の値をこのまま入力します。末尾にスラッシュは付けません。',
    terms: 'API利用規約への同意にチェックを入れて登録します。',
  },
  copy: 'コピー',
  copied: 'コピーしました',
  notCopied: 'ブラウザーがコピーを許可しませんでした。アドレスを選択してコピーしてください。',
  credentials: {
    heading: '手順2：2つの値をPlimsollの運用者に渡す',
    words:
      'サービスにClient IdとClient Secretが表示されます。運用者が両方をサーバーの設定に入力します。Client Secretがブラウザーに渡ることはありません。',
    inUse: 'このPlimsollが現在使っているClient Id：',
  },
  people: {
    heading: '手順3：メンバーに組織IDを知らせる',
    words:
      'サインインのときに組織IDを入力するか、プロジェクト一覧のアドレスを貼り付けます。「organization_id=」の後の数字が組織IDです。',
  },
  plans: {
    heading: 'プランごとの上限',
    words: '月の上限は組織全体で共有します。1分間の上限はサインインごとに別です。',
    item: '項目',
    business: 'Businessプラン',
    standard: 'Standardプラン',
    applications: 'OAuthアプリケーション',
    keys: 'APIキー',
    read: '1分間の読み取り',
    update: '1分間の更新',
    month: '月のリクエスト',
    unlimited: '無制限',
    standardNote: (applications, perMonth) =>
      `Standardプランで登録できるアプリケーションは${applications}個です。すでに登録されている場合は、Plimsollに置き換える必要があります。月${perMonth}リクエストをサインインする全員で使い、サインイン1回に1リクエスト以上かかります。`,
  },
  key: {
    heading: 'APIキーを使う場合',
    words:
      '登録は不要です。管理者が組織のAPIキー設定でキーを発行し、サインインのときに貼り付けます。キーを持つ人は誰でもアクセスできるため、渡す相手は最小限にしてください。',
  },
  back: 'サインインへ戻る',
  backSignedIn: 'リクエスト枠と組織へ戻る',
}
