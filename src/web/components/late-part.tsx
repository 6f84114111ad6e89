import { type ComponentType, Fragment, type PropsWithChildren, useEffect, useState } from 'react'
import { asProblem, type Problem } from '../../contract/problem.ts'
import { isReachable } from '../lib/api.ts'
import { late, nextTask } from '../lib/late.ts'
import { Notice } from './notice.tsx'

/**
 * A part of the page whose code has a file of its own. What is loaded already is drawn at once, as on the
 * server, where nothing may wait. If the file cannot be loaded, a notice takes the place of the part alone.
 * @param Frame around that notice
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<Props>,
  Frame: ComponentType<PropsWithChildren> = Fragment,
) {
  let loaded: { Part?: ComponentType<Props> } = {}
  const preload = async (): Promise<void> => {
    loaded = { Part: await late(load()) }
  }
  function Late(props: Props) {
    const [{ Part, problem }, set] = useState<{ Part?: ComponentType<Props>; problem?: Problem }>(loaded)
    useEffect(() => {
      if (Part) return
      nextTask()
        .then(preload)
        .then(
          () => set(loaded),
          (cause: unknown) => set({ problem: asProblem(cause) }),
        )
    }, [Part])
    if (Part) return <Part {...props} />
    if (!problem) return <Waiting {...props} />
    const again = (): void => {
      set({})
      void reload().then(() => set({ problem }))
    }
    return (
      <Frame>
        <Notice problem={problem} again={again} />
      </Frame>
    )
  }
  return Object.assign(Late, { preload })
}

/** Some browsers never ask for a file again that has failed. */
const reload = (): Promise<unknown> => isReachable().then((isUp) => isUp && location.reload())
