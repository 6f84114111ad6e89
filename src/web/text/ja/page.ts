import type { page as English } from '../en/page.ts'

export const page: typeof English = {
  heading: 'リクエスト枠と組織',
}
