import type { first as English } from '../en/first.ts'
import { problem } from './problems.ts'

export const first: typeof English = {
  problem,
  app: {
    requests: (low, high) => `${low === high ? low : `${low}～${high}`}リクエスト`,
    opening: 'Plimsollを開いています…',
    loadingPage: 'ページを読み込んでいます…',
    signingOut: 'サインアウトしています…',
    tryAgain: 'もう一度試す',
    tryAgainFree: 'もう一度試す・無料',
    reload: '再読み込み',
    goToStart: '最初のページへ',
    newVersion: {
      title: '新しいバージョンがあります',
      message: 'ここでの操作が終わったら再読み込みしてください。入力は失われます。',
    },
    notFound: {
      title: 'ページがありません',
      heading: 'このアドレスには何もありません',
      words: 'アドレスが間違っている可能性があります。組織のページは「/organizations/1001」のような形です。',
    },
    broken: {
      heading: 'このページを表示できませんでした',
      words: 'エラーが発生しました。失われたデータも、使われたリクエストもありません。',
    },
    notSignedOut: 'まだサインアウトしていません',
  },
  signIn: {
    title: 'サインイン',
    lead: '組織の情報と、残りのリクエスト数を確認できます。',
    done: 'サインアウトしました',
    ended: {
      elsewhere: '別のブラウザーで終了しました。',
      tooMany: (most) =>
        `セッションは${most}件までです。新しいセッションを開いたため、最も古いこのセッションが終了しました。`,
    },
    below: '下でサインイン',
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
        `サインインに${requests}を使います。スタンダードプランは月${perMonth}リクエストです。`,
      faults: {
        empty: '組織IDを入力してください。',
        not_an_id: '組織IDは1001のような1以上の整数です。',
        not_in_address: 'このアドレスには「organization_id」がありません。',
        several_ids: '組織IDが複数あります。1つだけ入力してください。',
      },
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
  },
  callback: {
    title: 'サインイン中',
    finishing: 'サインインしています…',
    failed: 'サインインできませんでした',
    again: '最初からやり直す',
    denied: (id) => `アクセスが許可されませんでした。「拒否」を押したか、組織${id}のメンバーではありません。`,
    serviceFailed: {
      title: 'サービスで問題が発生しました',
      message: (error) => `操作に問題はありません。数分後にもう一度試してください。エラーコード：${error}`,
    },
    requestRefused: {
      title: 'サービスがアクセスの要求を拒否しました',
      message: (error) =>
        `組織の番号を確認してください。番号が正しい場合は、Plimsollの運用者にエラーコードを伝えてください：${error}`,
    },
    malformed: {
      title: 'サービスの応答を読み取れませんでした',
      message: '応答の一部が欠けているか、間違っているか、重複しています。最初からやり直してください。',
    },
    interrupted: {
      title: 'サインインが中断されました',
      message: 'サインインが完了する前にページが再読み込みされました。',
    },
  },
  open: {
    heading: 'サインイン中の組織',
    use: (organization) => `${organization}を開く・無料`,
    named: (name, id) => `${name}（${id}）`,
    numbered: (id) => `組織${id}`,
    ofKey: 'APIキーの組織',
  },
  notice: {
    tryAgainIn: (span) => `${span}後にもう一度試せます。`,
    supportId: 'サポートID',
  },
  reason: {
    whyWeThinkSo: (reasons) => `そう考える理由：${reasons}`,
    long_wait_asked: 'サービスが1分より長く待つよう求めています。',
    short_wait_asked: 'サービスが最大1分待つよう求めています。',
    minute_has_requests_left:
      'この1分間のリクエストが残っているのに拒否されたため、今月の枠を使い切ったと思われます。',
    reset_is_far: 'リセットまで1分より長くかかります。',
    minute_used_up: 'この1分間のリクエストは残っていません。',
    few_were_sent: '送ったリクエストは1分間の上限よりはるかに少なくなっています。',
    refused_again: '1分待ったあとも拒否されました。',
    limit_not_named: 'どの上限に達したのか、応答からは分かりません。',
    payment_asked: 'サービスが支払いを求めています。',
    refused_near_the_end_of_the_month: '今月のリクエストをほぼ使い切ったところで拒否されました。',
    minute_used_up_before_refresh:
      'アクセストークンの更新前に、この1分間のリクエストは残っていませんでした。',
    reset_is_tried: '1分間がリセットされたかどうかを、別のリクエストが確認しています。',
    month_used_by_app: (count, limit) =>
      `今月の${limit}件のうち、このアプリが最大${count}件を送った可能性があります。`,
    month_used_by_reading: (count, limit, since, ago) =>
      `プランページの件数は${ago}の時点で${limit}件中${count}件で、その後さらに${since}件が送られた可能性があります。`,
    reserved_for_sign_in: (count) => `最後の${count}件はサインイン用です。`,
    reserved_for_person: (count) => `最後の${count}件は人の操作用です。`,
    one_try_a_minute: 'その間は1分間に1回だけ試し、ほかのリクエストから5秒以内には送りません。',
    one_request_a_minute: 'その間は1分間に1件だけ送ります。',
  },
  preferences: {
    skip: '本文へ移動',
    language: '言語',
    automatic: '自動',
    notLoaded: 'この言語を読み込めませんでした。もう一度試すか、ページを再読み込みしてください。',
    theme: 'テーマ',
    themes: { light: 'ライト', dark: 'ダーク' },
  },
}
