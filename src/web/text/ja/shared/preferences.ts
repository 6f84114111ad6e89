import type { preferences as English } from '../../en/shared/preferences.ts'

export const preferences: typeof English = {
  skip: '本文へ移動',
  language: '言語',
  browserLanguage: 'ブラウザーに合わせる',
  notLoaded: 'この言語を読み込めませんでした。もう一度お試しください。',
  theme: 'テーマ',
  themes: { system: 'システムに合わせる', light: 'ライト', dark: 'ダーク' },
}
