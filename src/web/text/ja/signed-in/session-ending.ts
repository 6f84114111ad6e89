import type { sessionEnding as English } from '../../en/signed-in/session-ending.ts'

export const sessionEnding: typeof English = {
  endsIn: (span) => `このセッションはあと${span}で終了します。`,
  forGood: (span) => `このセッションはあと${span}で終了します。延長はできません。`,
  extend: 'サインインを続ける・無料',
  busy: '延長中…',
  extended: (date) => `${date}まで延長しました。`,
  failed: '延長できませんでした。サーバーに接続できません。',
  signIn: (requests) => `もう一度サインイン・${requests}`,
}
