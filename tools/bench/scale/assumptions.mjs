// The assumptions of the calculated tables of docs/speed.md. None is measured: change them here, and run the benchmark again.

/** An organization of the Standard plan that uses its whole month: the most that it can cost. */
export const ORGANIZATION = {
  requestsAMonth: 100,
  workdaysAMonth: 22,
  hoursADay: 8,
  /** The load of the busiest second of a month, as a multiple of the mean second in working hours. */
  peak: 5,
  /** Sessions open at the same time; a session ends after 7 days without use. */
  sessions: 3,
  /** The share of the requests of the last 40 days with a new token, which leaves a note. */
  tokensPerRequest: 0.5,
  /** Open pages at the busiest second, each with one stream. */
  pages: 0.05,
}

/** Seconds from a request to the service to its answer. */
export const SERVICE_SECONDS = 0.3

/** The share of a machine's capacity at the busiest second. */
export const MOST_USED = 0.5

/** Dollars a month: round numbers of public clouds for machines of this size in 2026, no particular offer. */
export const PRICES = {
  /** Four cores and 16 GB: four processes, or a SQLite machine. */
  app: { cores: 4, dollars: 120 },
  /** Eight cores and 64 GB: one Redis, which leaves half of the memory free for the rewrite of its file. */
  redis: { gigabytes: 64, dollars: 400 },
  /** A gigabyte of disk. */
  diskGigabyte: 0.1,
  loadBalancer: 20,
}

/** Limits of the code: CONCURRENCY in src/bff/service/upstream.ts, and the fold in src/store. */
export const CODE = {
  upstreamSockets: 64,
  sqliteRowsOfASweep: 10_000,
  redisStepsOfASweep: 100,
  redisKeysOfAStep: 1000,
  redisRowsOfAStep: 200,
  sweepSeconds: 600,
}
