import type { guide as English } from '../en/guide.ts'

export const guide: typeof English = {
  guide: {
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
      heading: 'プランの上限',
      words: '月の上限は組織全体で共有します。1分間の上限はサインインごとに別です。',
      standardNote: (applications, perMonth) =>
        `スタンダードプランで登録できるアプリケーションは${applications}個です。すでに登録されている場合は、Plimsollに置き換える必要があります。月${perMonth}リクエストをサインインする全員で使い、サインイン1回に1リクエスト以上かかります。`,
    },
    key: {
      heading: 'APIキーを使う場合',
      words:
        '登録は不要です。管理者が組織のAPIキー設定でキーを発行し、サインインのときに貼り付けます。キーを持つ人は誰でもアクセスできるため、渡す相手は最小限にしてください。',
    },
    back: 'サインインに戻る',
  },
  learnt: {
    title: '上限の数え方',
    lead: 'サービスは上限についてすべてを公開していません。Plimsollは、操作への応答と、入力された件数から学びます。調べるためにリクエストを送ることはありません。',
    everybody: 'このPlimsollを使うすべての人に共通です。',
    loading: '読み込んでいます…',
    nothing: 'まだ分かっていません。',
    open: (count) => `未確認の質問が${count}件：それぞれ最悪の場合を前提にしています`,
    questions: {
      token_code_counts: 'サインインは1リクエストに数えられますか？',
      token_refresh_counts: 'トークンの更新は1リクエストに数えられますか？',
      rate_limit_counts: '上限の確認は1リクエストに数えられますか？',
      failed_requests_count: '拒否や失敗したリクエストも数えられますか？',
      month_zones: '月の枠はどのタイムゾーンでリセットされますか？',
    },
    stated: '指定',
    byOperator: 'このPlimsollの運用者によるもので、使用中',
    found: '確認済み',
    assumed: '前提',
    since: (date) => `${date}から`,
    states: {
      in_use: '使用中',
      fits: 'これまでの結果と一致しますが、確実ではありません。確定すると使われます',
      open: '決め手がないため、使われていません',
      beside: '運用者が値を指定しているため、使われていません',
    },
    values: {
      yes: 'はい',
      no: 'いいえ',
      unknown: '不明',
    },
    andMore: (more) => `ほか${more}件`,
    observations: '根拠',
    observed: {
      month_reset: (after, by) => `${after}より後、${by}までにリセットされました。`,
      confirmed: '利用者が確定しました。',
      rose_by_less: 'プランページの2つの件数の差が、これらを数える場合より小さくなっていました。',
      rose_with: 'プランページの2つの件数の差が、これらを数える場合とちょうど一致しました。',
      rose_without: 'プランページの2つの件数の差が、これらを数えない場合とちょうど一致しました。',
    },
    confirm: '確定する',
    confirmed: '確定しました。今後はこれを使います。',
    forget: '消去する',
    forgotten: '消去しました。今後は前提を使います。',
  },
}
