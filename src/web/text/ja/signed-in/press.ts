import type { press as English } from '../../en/signed-in/press.ts'

export const press: typeof English = {
  price: (price) => `（${price}）`,
  priceFirst: (price, label) => `${price}を使用して${label}`,
  uses: (price) => `${price}を使用`,
  upTo: (requests) => `最大${requests}`,
  of: (count, left) => `残り${left}件のうち${count}件`,
  ofAtMost: (count, left) => `残り最大${left}件のうち${count}件`,
  busy: '読み取り中…',
  heldFor: (wait) => `${wait}後`,
  possibleIn: (wait) => `${wait}後にもう一度使えます。`,
  offline: '送信していません。このブラウザーはオフラインです。',
  reserved: '今月最後のリクエストの1つで、サインイン用に残してあります。',
  doubtful: '今月分を使い切った可能性があり、拒否されることがあります。',
  refused: '今月分を使い切ったようです。おそらく拒否されます。',
  lastRefused: '前回は拒否されました。',
  refusedEarly: (requests) => `${requests}を使用：アクセストークンが期限前に拒否されました。`,
}
