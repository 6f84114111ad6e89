import type { month as English } from '../en/month.ts'

const verdict: typeof English.month.verdict = {
  used_up: ({ resetMs, refusedAgoMs }, { ago, day }) => {
    const end = resetMs === undefined ? '新しい月は1日以内に始まります' : `リセットは${day(resetMs)}です`
    if (refusedAgoMs === undefined) return `使い切りました。${end}。`
    return `使い切ったようです：${ago(refusedAgoMs)}にサービスが拒否しました。${end}。`
  },
  paused: ({ endsInMs }, { countdown }) => `一時停止中：あと${countdown(endsInMs)}。`,
  runs_out: ({ onMs, resetMs, isEarly }, { day }) =>
    `このペースでは${day(onMs)}に使い切る見込みです（${isEarly ? '早い段階の推定、' : ''}リセットは${day(resetMs)}）。`,
  low: ({ perDay, resetMs }, { number, day }) =>
    `${day(resetMs)}のリセットまで1日あたり${perDay === 0 ? '1件未満です' : `${number(perDay)}件以内にしてください`}。`,
  fine: ({ perDay, resetMs }, { number, day }) =>
    `${day(resetMs)}のリセットまで1日あたり${number(perDay)}件使えます。`,
  unsure: ({ limit, ageMs, isLow }, { number, ago }) => {
    const low = isLow ? '残りわずか：' : ''
    if (limit !== undefined) return `${low}この${number(limit)}件はほかのアプリと共有です。`
    if (ageMs !== undefined) return `${low}不確か：件数は${ago(ageMs)}のものです。`
    return '今月の上限は不明です。リクエストすると分かることがあります。'
  },
  turning: () => '新しい月がすでに始まったか、1日以内に始まります（時刻は不明です）。',
  unlimited: () => 'ビジネスプランに月の上限はありません。速度制限だけがあります。',
}

export const month: typeof English = {
  month: {
    heading: '今月',
    noPlan: 'プランは未確認',
    planAndReset: (plan, day, wait) => `${plan}・${day}にリセット（あと${wait}）`,
    figure: {
      atMost: (count) => `最大${count}`,
      atLeast: (count) => `少なくとも${count}`,
      left: (count) => `残り${count}件`,
      of: (limit) => `${limit}件中`,
      asOf: (ago) => `確認：${ago}`,
      notCounted: 'ほかのアプリの分は含みません',
      known: (left, how) => `${left}・${how}`,
      sent: '件をこのアプリが送信',
    },
    verdict,
    enter: 'プランページの件数を入力してください。',
    bar: {
      label: '今月の残りリクエスト',
      left: (count) => `残り${count}`,
      leftUnknown: '残り（ほかのアプリの使用分は不明）',
      own: (count) => `このアプリ：${count}`,
      others: (count) => `ほかのアプリ：${count}`,
      uncertain: (count) => `数えられる可能性：${count}`,
      spoken: (left, limit) => `${limit}件中、残り${left}件`,
      spokenAtMost: (left, limit) => `${limit}件中、残り最大${left}件`,
    },
    count: {
      unlimited: '組織のほかのアプリの分は数えていません。',
      own: (used, limit) =>
        `このアプリは${used}件を使いました。組織のほかのアプリも、同じ${limit}件を使います。`,
      organization: (used, limit, own) =>
        `組織全体で${limit}件中${used}件を使いました。そのうち${own}件がこのアプリです。`,
    },
    how: {
      heading: '数え方と根拠',
      counted: 'サービスは今月の数を知らせないため、Plimsollは自分が送った分を数えています。',
      more: '上限の数え方',
    },
    uncertain: {
      organization:
        '大きいほうの数には、数えられる可能性のあるものと、入力後にほかのアプリが使った可能性のあるものを含みます。',
      own: (low, high) => `${low}～${high}件です。サインインなど、数えられない可能性のあるものがあります。`,
    },
    resets: (when) => `リセットは現地時刻で${when}です。`,
    resetsAt: (at) => at,
    resetsBetween: (earliest, latest) => `${earliest}から${latest}の間`,
    zone: 'どのタイムゾーンで月が始まるかを、サービスは示していません。',
    wanted: {
      exact: '入力すると正確な数が分かります。リクエストは使いません。',
      again: '入力後に大きく変わった可能性があります。今の件数を入力してください。',
      used_up: '使い切ったかどうかは、プランページで分かります。',
      below_own: 'このアプリだけでそれより多く使っています。今の件数を入力してください。',
    },
  },
  press: {
    price: (price) => `（${price}）`,
    uses: (price) => `${price}を使用`,
    risky: (requests) => `最大${requests}、拒否の可能性あり`,
    of: (count, left) => `残り${left}件のうち${count}件`,
    ofAtMost: (count, left) => `残り最大${left}件のうち${count}件`,
    busy: '読み取り中…',
    heldFor: (wait) => `${wait}後`,
    possibleIn: (wait) => `${wait}後にもう一度使えます。`,
    offline: '送信していません。このブラウザーはオフラインでした。',
    caution: {
      last: '今月最後のリクエストの1つで、サインイン用に残してあります。',
      risky: 'サービスに拒否されることがあります。',
    },
    lastRefused: '前回は拒否されました。',
    refusedEarly: (requests) => `${requests}を使用：アクセストークンが期限前に拒否されました。`,
  },
  readings: {
    planPage: 'プランページ',
    usedSoFar: (page) => `${page}に表示された使用済みの件数`,
    count: 'プランページに表示された使用済みの件数',
    save: '保存',
    enteredAgo: (ago) => `入力：${ago}。`,
    saved: (count) => `保存しました：使用済み${count}件。`,
    fault: (most) => `プランページに表示された数を、0から${most}までの整数で入力してください。`,
    more: 'これまでの件数',
    tooMany: (most) => `今月は${most}件の入力がありました。これ以上は入力できません。`,
    lower: (count) =>
      `${count}は前に入力された数より小さいため、保存していません。月の数は増えるだけです。前の数が間違っていたときは、「これまでの件数」で取り消してください。`,
    wasReset: 'リセットされた',
    none: '今月の件数はまだ入力されていません。',
    list: '今月の件数',
    read: (date) => `${date}に確認`,
    by: { you: '自分が入力', another: 'ほかの人またはブラウザーが入力' },
    undo: '取り消す',
    undoOf: (count) => `件数${count}を取り消す`,
    removed: (count) => `件数${count}を取り消しました。`,
  },
  burnDown: {
    caption: '残りのリクエスト（日ごと）',
    captionAtMost: '残りリクエストの最大数（日ごと）',
    evenPace: '均等ペース',
    today: '今日',
    atMost: (left) => `最大${left}`,
    point: (date, left) => `${date}：残り${left}件`,
    end: {
      left: (count) => `リセット時に残り${count}件`,
      runsOut: (day) => `${day}に残り0件`,
      early: (end) => `${end}（早い段階の予測）`,
    },
    summary: (left, limit) => `${limit}件中、残り${left}件です。`,
    summaryAtMost: (left, limit) =>
      `${limit}件中、残り最大${left}件です。ほかのアプリが使った分は含まれていません。`,
    even: (count) => `均等ペースなら残り${count}件です。`,
    forecast: (end) => `予測：${end}。`,
  },
  alert: {
    mark: {
      none: '■ 残りなし',
      left: (count) => `▲ 残り${count}`,
      atMost: (count) => `▲ 残り最大${count}`,
    },
    none: '今月のリクエストは残っていません',
    used: (percent) => `今月の${percent}%を使った可能性があります`,
    reset: (when) => `リセットは${when}です。`,
    setting: {
      on: (levels) => `${levels}%で通知：オン。`,
      off: (levels) => `${levels}%で通知：オフ。`,
      whileOpen: '通知はページを開いている間だけ届きます。',
      tried: '通知をオンにしました',
      unable: 'このブラウザーでは通知できません。タイトルとアイコンに表示します。',
      turnOn: 'オンにする',
      turnOff: 'オフにする',
      blocked: 'ブラウザーがこのページの通知をブロックしています。ブラウザーの設定で許可できます。',
    },
  },
}
