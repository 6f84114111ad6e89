/** The contradictions between sections of the service's document, and the choices that decide them. */
import type { ChoiceKey } from './choices.ts'

export interface Contradiction {
  sections: string
  statement: string
  /** The choices that decide it; empty if nothing has to be chosen. */
  settledBy: readonly ChoiceKey[]
}

export const CONTRADICTIONS: readonly Contradiction[] = [
  {
    sections: '7, 8.4.3 and 8.3',
    statement:
      'Any limit that is exceeded is answered 429; yet what is answered over the month is not shown.',
    settledBy: ['monthly', 'monthlyhdr'],
  },
  {
    sections: '2.2 and 8.4.2',
    statement: 'The record has its reset in seconds; the header of the same name is only called UNIX time.',
    settledBy: ['resetunit'],
  },
  {
    sections: '5.1.4 and 5.2.5',
    statement: 'Administrators can manage keys; for applications, only they can.',
    settledBy: ['whokeys'],
  },
  {
    sections: '5.1.5, 5.4.1 and 4',
    statement:
      'Either credential goes with every request; the table of endpoints has one of them for each, as an example.',
    settledBy: ['methodpath'],
  },
  {
    sections: '8.4.2',
    statement:
      'Every answer has the headers, also one without a credential, for which there is no window to describe.',
    settledBy: ['hdrscope', 'hdrclass'],
  },
  {
    sections: '8.2, 8.1 and 4.2',
    statement: 'Counted per token: API keys are tokens too, and the token endpoint is a POST without one.',
    settledBy: ['pertoken', 'toklimit'],
  },
  {
    sections: '8.2 and 8.3',
    statement:
      'On Standard, two minutes of reading at full speed use up the month: the limit that matters is in no header.',
    settledBy: [],
  },
]
