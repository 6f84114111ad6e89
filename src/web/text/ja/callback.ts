import type { callback as English } from '../en/callback.ts'

export const callback: typeof English = {
  title: 'サインイン中',
  finishing: 'サインインを完了しています…',
  words: 'サービスから応答がありました。コードを交換し、組織を一度読み取っています。',
  cancel: 'キャンセル',
  failed: 'サインインを完了できませんでした',
  again: '最初からやり直す',
}
