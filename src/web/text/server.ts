/** The texts of documents that run no script: only the server has them, so that no browser loads them. */
import { server as en } from './en/server.ts'
import { server as ja } from './ja/server.ts'
import type { Language } from './languages.ts'

export type ServerText = typeof en

export const SERVER_TEXT: Record<Language, ServerText> = { en, ja }
