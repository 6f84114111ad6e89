/** Whether the browser has a network, by its own events. */
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

/** A server on the same machine is reached without a network: as long as it is, the page is not offline. */
export function useOffline(): boolean {
  const isOnline = useOnline()
  return useUi(({ live }) => live !== 'live') && !isOnline
}
