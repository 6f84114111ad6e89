import type { preferences as English } from '../../en/shared/preferences.ts'

export const preferences: typeof English = {
  skip: '本文へ移動',
  language: '言語',
  automatic: '自動',
  notLoaded: 'この言語を読み込めませんでした。もう一度お試しください。',
  theme: 'テーマ',
  themes: { light: 'ライト', dark: 'ダーク' },
}
