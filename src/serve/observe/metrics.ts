/** Metrics of one process. Labels have words of a closed list: never an id, name, token or address. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Measurement, RefreshOutcome } from '../../bff/core/measurement.ts'

const REFRESH_OUTCOMES: Record<RefreshOutcome, true> = {
  renewed: true,
  replaced: true,
  withdrawn: true,
  rejected: true,
  failed: true,
}
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const UPSTREAM_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 45]
const STORE_SECONDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5]
const SHARES = [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** Gauges with the suffix of a counter, which `promtool check metrics` rejects. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

export class Metrics {
  readonly register = new Registry()
  readonly #registers = [this.register]
  readonly #requests = this.#counter('http_requests_total', 'Answers to browsers', [
    'method',
    'route',
    'status',
  ])
  readonly #requestSeconds = this.#histogram(
    'http_request_duration_seconds',
    'Time to the head of an answer',
    ['method', 'route'],
    REQUEST_SECONDS,
  )
  readonly #upstream = this.#counter(
    'upstream_requests_total',
    'Requests to the service; the result is a status, or why there is none',
    ['kind', 'result'],
  )
  readonly #upstreamSeconds = this.#histogram(
    'upstream_request_duration_seconds',
    'Time of a request to the service',
    ['kind'],
    UPSTREAM_SECONDS,
  )
  readonly #refreshes = this.#counter('refreshes_total', 'Refreshes of access tokens', ['outcome'])
  readonly #opened = this.#counter('sessions_opened_total', 'Sessions that were opened')
  readonly #ended = this.#counter('sessions_ended_total', 'Sessions that were ended, and did not lapse')
  readonly #left = this.#histogram(
    'quota_left_ratio',
    'Share of the month that an organization has left, for each snapshot of it that a page was sent',
    ['plan'],
    SHARES,
  )
  readonly #storeSeconds = this.#histogram(
    'store_operation_duration_seconds',
    'Time of one operation of the store',
    ['operation'],
    STORE_SECONDS,
  )
  readonly #storeFailures = this.#counter('store_failures_total', 'Operations that the store failed', [
    'operation',
  ])
  #countStreams = () => 0

  constructor() {
    const { register } = this
    const countStreams = () => this.#countStreams()
    collectDefaultMetrics({ register })
    for (const name of MISNAMED) register.removeSingleMetric(name)
    // A counter that first appears with its first event shows no increase.
    for (const outcome of Object.keys(REFRESH_OUTCOMES)) this.#refreshes.inc({ outcome }, 0)
    register.registerMetric(
      new Gauge({
        name: 'plimsoll_event_streams',
        help: 'Open streams of events',
        registers: [],
        collect() {
          this.set(countStreams())
        },
      }),
    )
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
        return (measurement.change === 'opened' ? this.#opened : this.#ended).inc()
      case 'month':
        return this.#left.observe({ plan: measurement.plan }, measurement.leftShare)
    }
  }

  /** Starts the failure counters of these operations at 0. */
  expectOperations(operations: readonly string[]): void {
    for (const operation of operations) this.#storeFailures.inc({ operation }, 0)
  }

  /** Measures an operation of the store that has ended. @param isFailed whether the store failed it */
  measureOperation(operation: string, seconds: number, isFailed: boolean): void {
    this.#storeSeconds.observe({ operation }, seconds)
    if (isFailed) this.#storeFailures.inc({ operation })
  }

  /** @param countStreams called when the metrics are read */
  expectStreams(countStreams: () => number): void {
    this.#countStreams = countStreams
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name: `plimsoll_${name}`, help, labelNames, registers: this.#registers })
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name: `plimsoll_${name}`, help, labelNames, buckets, registers: this.#registers })
  }
}
