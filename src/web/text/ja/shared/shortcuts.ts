import type { shortcuts as English } from '../../en/shared/shortcuts.ts'

export const shortcuts: typeof English = {
  title: 'キーボードショートカット',
  lead: '入力中は無効です。リクエストは使いません。',
  next: '続けて',
  keys: {
    home: 'リクエスト枠と組織',
    ledger: 'リクエストの記録',
    sessions: '自分のセッション',
    learnt: '回数の数え方',
    refresh: '再読み込みボタンへ移動（押しません）',
    sheet: 'この一覧を表示',
    close: 'この一覧を閉じる',
  },
  on: 'キーボードショートカットを使う',
  close: '閉じる',
}
