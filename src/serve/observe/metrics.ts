/** Metrics of one process. Labels have words of a closed list: never an id, name, token or address. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Measurement, RefreshOutcome } from '../../bff/core/measurement.ts'

const OUTCOMES: RefreshOutcome[] = ['renewed', 'replaced', 'withdrawn', 'rejected', 'failed']
// Seconds, the upper ends of the buckets.
const ANSWER = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const SERVICE = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 45]
const STORE = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5]
const SHARES = [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** Gauges with the suffix of a counter, which `promtool check metrics` rejects. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

export class Metrics {
  readonly register = new Registry()
  readonly #requests = this.#counter('http_requests', 'Answers to browsers', 'method', 'route', 'status')
  readonly #answered = this.#seconds('http_request', 'To the head of an answer', ANSWER, 'method', 'route')
  readonly #upstream = this.#counter('upstream_requests', 'Requests to the service', 'kind', 'result')
  readonly #served = this.#seconds('upstream_request', 'Of a request to the service', SERVICE, 'kind')
  readonly #refreshes = this.#counter('refreshes', 'Refreshes of access tokens', 'outcome')
  readonly #sessions = {
    opened: this.#counter('sessions_opened', 'Sessions that were opened'),
    ended: this.#counter('sessions_ended', 'Sessions that were ended, and did not lapse'),
  }
  readonly #left = this.#histogram('quota_left_ratio', 'Share of the month that is left', SHARES, 'plan')
  readonly storeSeconds = this.#seconds('store_operation', 'Time of one operation', STORE, 'operation')
  readonly storeFailures = this.#counter('store_failures', 'Operations that failed', 'operation')
  /** Called when the metrics are read. */
  countStreams = () => 0

  constructor() {
    const { register } = this
    collectDefaultMetrics({ register })
    for (const name of MISNAMED) register.removeSingleMetric(name)
    // A counter that first appears with its first event shows no increase.
    for (const outcome of OUTCOMES) this.#refreshes.inc({ outcome }, 0)
    const streams = new Gauge(this.#named('event_streams', 'Open streams of events'))
    Object.assign(streams, { collect: () => streams.set(this.countStreams()) })
  }

  readonly measure = (measurement: Measurement): void => {
    switch (measurement.what) {
      case 'request': {
        const { method, route, status, tookMs } = measurement
        this.#requests.inc({ method, route, status })
        return this.#answered.observe({ method, route }, tookMs / 1000)
      }
      case 'upstream': {
        const { kind, result, tookMs } = measurement
        this.#upstream.inc({ kind, result })
        return this.#served.observe({ kind }, tookMs / 1000)
      }
      case 'refresh':
        return this.#refreshes.inc({ outcome: measurement.outcome })
      case 'session':
        return this.#sessions[measurement.change].inc()
      case 'month':
        return this.#left.observe({ plan: measurement.plan }, measurement.leftShare)
    }
  }

  #named(name: string, help: string) {
    return { name: `plimsoll_${name}`, help, registers: [this.register] }
  }

  #counter(what: string, help: string, ...labelNames: string[]) {
    return new Counter({ ...this.#named(`${what}_total`, help), labelNames })
  }

  #seconds(what: string, help: string, buckets: number[], ...labelNames: string[]) {
    return this.#histogram(`${what}_duration_seconds`, help, buckets, ...labelNames)
  }

  #histogram(name: string, help: string, buckets: number[], ...labelNames: string[]) {
    return new Histogram({ ...this.#named(name, help), buckets, labelNames })
  }
}
