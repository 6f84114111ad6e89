import { installInFirefox, mediaIn } from './media.mjs'

/** Above the ids of playwright. */
const FIRST_ID = 1_000_000_000
const DOWNLOAD = new Set(['browsingContext.downloadWillBegin', 'browsingContext.downloadEnd'])

export class Session {
  #toFirefox
  #toPlaywright
  #nextId = FIRST_ID
  #waiting = new Map()
  /** A frame of Firefox itself, in which its own JavaScript runs. */
  #frame
  #active

  /** Each takes the text of a message. */
  constructor(toFirefox, toPlaywright) {
    this.#toFirefox = toFirefox
    this.#toPlaywright = toPlaywright
  }

  fromPlaywright(text) {
    const message = JSON.parse(text)
    const media = mediaIn(message)
    if (media !== undefined) void this.#emulate(message, media)
    else if (message.method === 'input.performActions') void this.#input(message.params.context, text)
    else this.#toFirefox(text)
  }

  fromFirefox(text) {
    const message = JSON.parse(text)
    const { id, method, params, result } = message
    if (method === 'browsingContext.contextCreated') this.#active = undefined
    const answered = this.#waiting.get(id)
    if (answered) answered(result)
    // playwright ignores a download without a name, and a link of the page has none.
    else if (DOWNLOAD.has(method))
      this.#toPlaywright(JSON.stringify({ ...message, params: { download: params.url, ...params } }))
    else this.#toPlaywright(text)
  }

  /** A page that is not in front has no focus, and accepts no Enter. */
  async #input(context, text) {
    if (this.#active !== context) {
      this.#active = context
      await this.#send('browsingContext.activate', { context })
    }
    this.#toFirefox(text)
  }

  async #emulate({ id, params }, media) {
    const { contexts = [], userContexts = [] } = params
    this.#frame ??= this.#install()
    const values = JSON.stringify([contexts, userContexts, media])
    await this.#evaluate(await this.#frame, `emulateMedia(...${values})`)
    this.#toPlaywright(JSON.stringify({ type: 'success', id, result: { script: `media-${id}` } }))
  }

  async #install() {
    const { contexts } = await this.#send('browsingContext.getTree', { 'moz:scope': 'chrome' })
    const frame = contexts[0].context
    await this.#evaluate(frame, `(${installInFirefox.toString()})()`)
    return frame
  }

  async #evaluate(context, expression) {
    const command = { expression, target: { context }, awaitPromise: true }
    const result = await this.#send('script.evaluate', command)
    if (result?.type !== 'success') throw new Error(`${JSON.stringify(result)} of ${expression}`)
  }

  /** @returns the result; `undefined` if it failed */
  #send(method, params) {
    this.#nextId += 1
    const id = this.#nextId
    this.#toFirefox(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }
}
