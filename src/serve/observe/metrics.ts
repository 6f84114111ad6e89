/** Metrics of one process. Labels have words of a closed list: never an id, name, token or address. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Measurement, RefreshOutcome } from '../../bff/core/measurement.ts'

const OUTCOMES: RefreshOutcome[] = ['renewed', 'replaced', 'withdrawn', 'rejected', 'failed']
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const UPSTREAM_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 45]
const STORE_SECONDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5]
const SHARES = [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** Gauges with the suffix of a counter, which `promtool check metrics` rejects. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

export class Metrics {
  readonly register = new Registry()
  readonly #requests = this.#counter(
    'http_requests_total',
    'Answers to browsers',
    'method',
    'route',
    'status',
  )
  readonly #requestSeconds = this.#histogram(
    'http_request_duration_seconds',
    'Time to the head of an answer',
    REQUEST_SECONDS,
    ...['method', 'route'],
  )
  readonly #upstream = this.#counter(
    'upstream_requests_total',
    'Requests to the service; the result is a status, or why there is none',
    ...['kind', 'result'],
  )
  readonly #upstreamSeconds = this.#histogram(
    'upstream_request_duration_seconds',
    'Time of a request to the service',
    UPSTREAM_SECONDS,
    'kind',
  )
  readonly #refreshes = this.#counter('refreshes_total', 'Refreshes of access tokens', 'outcome')
  readonly #sessions = {
    opened: this.#counter('sessions_opened_total', 'Sessions that were opened'),
    ended: this.#counter('sessions_ended_total', 'Sessions that were ended, and did not lapse'),
  }
  readonly #left = this.#histogram(
    'quota_left_ratio',
    'Share of the month that an organization has left, for each snapshot of it that a page was sent',
    SHARES,
    'plan',
  )
  readonly storeSeconds = this.#histogram(
    'store_operation_duration_seconds',
    'Time of one operation of the store',
    STORE_SECONDS,
    'operation',
  )
  readonly storeFailures = this.#counter(
    'store_failures_total',
    'Operations that the store failed',
    'operation',
  )
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
        return this.#requestSeconds.observe({ method, route }, tookMs / 1000)
      }
      case 'upstream': {
        const { kind, result, tookMs } = measurement
        this.#upstream.inc({ kind, result })
        return this.#upstreamSeconds.observe({ kind }, tookMs / 1000)
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

  #counter(name: string, help: string, ...labelNames: string[]) {
    return new Counter({ ...this.#named(name, help), labelNames })
  }

  #histogram(name: string, help: string, buckets: number[], ...labelNames: string[]) {
    return new Histogram({ ...this.#named(name, help), buckets, labelNames })
  }
}
