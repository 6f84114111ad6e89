import type { time as English } from '../../en/shared/time.ts'

export const time: typeof English = {
  seconds: (count) => `${count}秒`,
  minutesAndSeconds: (minutes, seconds) => `${minutes}分${seconds}秒`,
  minutes: (count) => `${count}分`,
  hours: (count) => `${count}時間`,
  days: (count) => `${count}日`,
  justNow: 'たった今',
  ago: (span) => `${span}前`,
}
