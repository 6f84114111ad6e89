/** `?wall`: the page of a link on a large display that nobody touches. */
import { useLayoutEffect } from 'react'
import { MINUTE_MS } from '../../contract/duration.ts'
import { onServer } from '../lib/clock.ts'

/** From 10 in the evening to 6 in the morning the display is dark and dim. */
export const isNight = (hour: number): boolean => hour >= 22 || hour < 6

/** People put it behind the secret, too. */
export const isWall = (): boolean => location.href.includes('?wall')

/** Marks the document for the style sheet. Draws nothing. */
export function Wall(): null {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    const mark = (): void => {
      dataset['wall'] = isNight(new Date(onServer(Date.now())).getHours()) ? 'night' : 'day'
    }
    mark()
    const timer = setInterval(mark, MINUTE_MS)
    return () => {
      clearInterval(timer)
      delete dataset['wall']
    }
  }, [])
  return null
}
