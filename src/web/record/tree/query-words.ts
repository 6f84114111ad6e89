/** The words that the reader searches for, in lower case; empty without a search. */
import { createContext, use } from 'react'

export const QueryWords = createContext('')

export const useQueryWords = (): string => use(QueryWords)
