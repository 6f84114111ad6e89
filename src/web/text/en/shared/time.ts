import { plural } from '../plural.ts'

export const time = {
  seconds: (count: number) => `${count} s`,
  minutesAndSeconds: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  minutes: (count: number) => plural(count, 'minute'),
  hours: (count: number) => plural(count, 'hour'),
  days: (count: number) => plural(count, 'day'),
  justNow: 'just now',
  ago: (span: string) => `${span} ago`,
}
