/** The last segment of a pattern may be an id: `/bff/sessions/:id`, `/api/organizations/:id{[0-9]+}`. */

export interface FoundRoute<Route> {
  route: Route
  /** Its pattern, without the regular expression of the id. */
  name: string
  id?: string
}

export interface RouteTable<Route> {
  exact: ReadonlyMap<string, FoundRoute<Route>>
  /** By the part before the id, including the slash. */
  withId: ReadonlyMap<string, FoundRoute<Route> & { isId: RegExp }>
}

const PATTERN = /(.*\/)(:\w+)(?:\{(.*)\})?$/

export function routeTable<Route>(routes: Readonly<Record<string, Route>>): RouteTable<Route> {
  const exact = new Map<string, FoundRoute<Route>>()
  const withId = new Map<string, FoundRoute<Route> & { isId: RegExp }>()
  for (const [pattern, route] of Object.entries(routes)) {
    const [, before, parameter, id = '.+'] = PATTERN.exec(pattern) ?? []
    if (before === undefined) exact.set(pattern, { route, name: pattern })
    else withId.set(before, { route, name: before + parameter, isId: new RegExp(`^(?:${id})$`) })
  }
  return { exact, withId }
}

/** @returns `undefined` if no pattern fits the path */
export function findRoute<Route>(
  { exact, withId }: RouteTable<Route>,
  pathname: string,
): FoundRoute<Route> | undefined {
  const found = exact.get(pathname)
  if (found !== undefined) return found
  const at = pathname.lastIndexOf('/') + 1
  const one = withId.get(pathname.slice(0, at))
  const id = pathname.slice(at)
  return one?.isId.test(id) ? { route: one.route, name: one.name, id } : undefined
}
