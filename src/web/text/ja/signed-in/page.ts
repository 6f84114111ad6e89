import type { page as English } from '../../en/signed-in/page.ts'

export const page: typeof English = {
  heading: 'リクエスト枠と組織',
}
