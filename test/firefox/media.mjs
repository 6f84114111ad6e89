// Media features in Firefox, which has no command for them: sets them by its own JavaScript (chrome scope).

/** playwright's own command has no effect here: launch.ts sends all media. */
export function mediaIn({ method, params }) {
  if (method === 'emulation.setMediaFeaturesOverride') return {}
  if (method !== 'script.addPreloadScript') return undefined
  const [, json] = /plimsoll-media (.*) end/.exec(params.functionDeclaration) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

/** Runs in Firefox. A page loses its value at another site, so the value is stored here and set again. */
export function installInFirefox() {
  const SHARED = 'chrome://remote/content/shared'
  const { NavigableManager } = ChromeUtils.importESModule(`${SHARED}/NavigableManager.sys.mjs`)
  const { UserContextManager } = ChromeUtils.importESModule(`${SHARED}/UserContextManager.sys.mjs`)
  const PROPERTIES = {
    media: ['mediumOverride', ''],
    colorScheme: ['prefersColorSchemeOverride', 'none'],
    reducedMotion: ['prefersReducedMotionOverride', 'none'],
    forcedColors: ['forcedColorsOverride', 'none'],
  }
  const ofContexts = new Map()
  const ofPages = new Map()
  const set = (page) => {
    const media = { ...ofContexts.get(page.originAttributes.userContextId), ...ofPages.get(page.browserId) }
    for (const [name, value] of Object.entries(media)) {
      const [property, unset] = PROPERTIES[name] ?? []
      if (property) page[property] = value === null || value === 'no-override' ? unset : value
    }
  }
  Services.obs.addObserver((page) => {
    if (page.isContent && !page.parent) set(page)
  }, 'browsing-context-attached')
  globalThis.emulateMedia = (contexts, userContexts, media) => {
    for (const id of userContexts) ofContexts.set(UserContextManager.getInternalIdById(id), media)
    for (const id of contexts) {
      const page = NavigableManager.getBrowsingContextById(id)
      ofPages.set(page.browserId, { ...ofPages.get(page.browserId), ...media })
      set(page)
    }
  }
}
