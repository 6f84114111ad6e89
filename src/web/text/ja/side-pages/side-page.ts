import type { sidePage as English } from '../../en/side-pages/side-page.ts'

export const sidePage: typeof English = {
  back: 'リクエスト枠と組織に戻る',
  again: 'もう一度試す',
}
