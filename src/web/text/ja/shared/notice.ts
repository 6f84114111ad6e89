import type { notice as English } from '../../en/shared/notice.ts'

export const notice: typeof English = {
  tryAgainIn: (span) => `${span}後にもう一度試せます。`,
  supportId: 'サポートID',
}
