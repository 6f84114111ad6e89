/** Joins the metrics of all workers in the first process. Counters do not go down when a worker ends. */
import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import { type Metrics, registerDegradedWorkers } from './metrics.ts'

/** A worker that takes longer, for example while it starts, counts with its last answer. */
const ANSWER_WITHIN_MS = 1000

type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

/** Messages between the first process and its workers. */
interface MetricsQuestion {
  metricsWanted: number
}
interface MetricsAnswer {
  metricsFor: number
  snapshot: Snapshot
}

/** In a worker: answers the first process with its metrics. */
export function shareMetrics({ register }: Pick<Metrics, 'register'>): void {
  const send = async (metricsFor: number) => {
    const snapshot = await register.getMetricsAsJSON()
    if (process.connected) process.send?.({ metricsFor, snapshot } satisfies MetricsAnswer)
  }
  process.on('message', ({ metricsWanted }: Partial<MetricsQuestion>) => {
    if (metricsWanted !== undefined) void send(metricsWanted)
  })
}

/**
 * In the first process. @returns a function that reads the sums over all workers, as text
 * @param countMissing workers that should take requests, and do not
 */
export function joinMetrics(
  wait: (ms: number) => Promise<unknown>,
  countMissing: () => number,
): () => Promise<string> {
  const own = new Registry()
  registerDegradedWorkers(own, countMissing)
  const newest = new Map<number, Snapshot>()
  const waiting = new Map<number, () => void>()
  let ended = Promise.resolve<Snapshot>([])
  let questions = 0
  cluster.on('message', ({ id }, { metricsFor, snapshot }: Partial<MetricsAnswer>) => {
    if (metricsFor === undefined || snapshot === undefined) return
    newest.set(id, snapshot)
    waiting.get(metricsFor)?.()
  })
  cluster.on('exit', ({ id }) => {
    const counted = newest.get(id)?.filter(isCounted)
    newest.delete(id)
    if (counted !== undefined) ended = ended.then((sum) => sumOf([sum, counted]).getMetricsAsJSON())
  })
  const ask = async (worker: Worker): Promise<void> => {
    questions += 1
    const metricsWanted = questions
    const answered = new Promise<void>((resolve) => waiting.set(metricsWanted, resolve))
    worker.send({ metricsWanted } satisfies MetricsQuestion, () => {})
    await Promise.race([answered, wait(ANSWER_WITHIN_MS)])
    waiting.delete(metricsWanted)
  }
  return async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(workers.filter((worker) => worker.isConnected()).map(ask))
    return sumOf([await own.getMetricsAsJSON(), await ended, ...newest.values()]).metrics()
  }
}

const sumOf = (snapshots: Snapshot[]) => AggregatorRegistry.aggregate(snapshots)

/** A sum over time remains when its process ends; a gauge does not. */
const isCounted = ({ type }: Snapshot[number]): boolean => /^(counter|histogram)$/i.test(String(type))
