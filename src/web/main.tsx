import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { chosenLanguage } from './text/language.ts'
import { loadLanguage } from './text/text.ts'
import './tokens.css'

const root = document.querySelector('#root')
if (root)
  void loadLanguage(chosenLanguage()).then(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
