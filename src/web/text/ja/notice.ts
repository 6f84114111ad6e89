import type { notice as English } from '../en/notice.ts'

export const notice: typeof English = {
  tryAgainIn: (span) => `${span}後にもう一度試せます。`,
  supportId: 'サポートID',
}
