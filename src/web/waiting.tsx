import { Mark } from './mark.tsx'

export function Waiting({ words = 'Asking who is signed in…' }: { words?: string }) {
  return (
    <main className="waiting">
      <Mark size={56} />
      <output>{words}</output>
    </main>
  )
}
