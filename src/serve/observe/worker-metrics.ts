/** Joins the metrics of several processes into one answer of the first one, in which no counter goes down when a worker ends. */
import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import type { Metrics } from './metrics.ts'

/** A worker that takes longer, as one that is starting, is counted as it was when it answered last. */
const ANSWER_WITHIN_MS = 1000

type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

/** What the first process and its workers send each other. */
interface MetricsQuestion {
  metricsWanted: number
}
interface MetricsAnswer {
  metricsFor: number
  snapshot: Snapshot
}

/** In a worker: answers the first process with its metrics from now on. */
export function shareMetrics({ register }: Pick<Metrics, 'register'>): void {
  const send = async (metricsFor: number) => {
    const snapshot = await register.getMetricsAsJSON()
    if (process.connected) process.send?.({ metricsFor, snapshot } satisfies MetricsAnswer)
  }
  process.on('message', ({ metricsWanted }: Partial<MetricsQuestion>) => {
    if (metricsWanted !== undefined) void send(metricsWanted)
  })
}

/** In the first process. @returns reads the sums over all workers, as text */
export function joinMetrics(wait: (ms: number) => Promise<unknown>): () => Promise<string> {
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
    return sumOf([await ended, ...newest.values()]).metrics()
  }
}

const sumOf = (snapshots: Snapshot[]) => AggregatorRegistry.aggregate(snapshots)

/** Whether it is a sum over time, and no state of a process that has ended. */
const isCounted = ({ type }: Snapshot[number]): boolean => /^(counter|histogram)$/i.test(String(type))
