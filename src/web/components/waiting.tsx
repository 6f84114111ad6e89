import { Mark } from './icons.tsx'
import { text } from '../text/text.ts'

export function Waiting({ words = text().app.opening }: { words?: string }) {
  return (
    <main id="main" className="waiting">
      <Mark size={56} />
      <h1>
        <output>{words}</output>
      </h1>
    </main>
  )
}
