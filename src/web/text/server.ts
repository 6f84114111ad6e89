/** The texts of documents that run no script: only the server has them, so that no browser loads them. */
import type { Language } from './languages.ts'

const en = {
  noScript: {
    title: 'Plimsoll needs JavaScript',
    message: 'Allow it for this address, then reload the page.',
  },
  /** In place of a page whose script or words cannot be loaded. */
  failure: {
    title: 'Plimsoll could not be loaded',
    message: 'A part of the page did not arrive. Nothing was lost, and nothing was spent.',
    reload: 'Reload',
  },
}

export type ServerText = typeof en

const ja: ServerText = {
  noScript: {
    title: 'PlimsollにはJavaScriptが必要です',
    message: 'このアドレスで許可してから、ページを再読み込みしてください。',
  },
  failure: {
    title: 'Plimsollを読み込めませんでした',
    message: 'ページの一部が届きませんでした。失われたものはなく、リクエストも使われていません。',
    reload: '再読み込み',
  },
}

export const SERVER_TEXT: Record<Language, ServerText> = { en, ja }
