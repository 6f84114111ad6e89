/** Tells by the browser's own events if it has a network. */
import { useSyncExternalStore } from 'react'
import { useUi } from './ui.ts'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

const isOnLine = (): boolean => navigator.onLine
const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnLine, isOnLine)

/** A live stream means that the page is not offline: a server on the same machine needs no network. */
export function useOffline(): boolean {
  const isOnline = useOnline()
  return useUi(({ live }) => live !== 'live') && !isOnline
}
