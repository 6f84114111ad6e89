// What the calculation of docs/scale-measured.md assumes. None of it is measured: change it here, and run the benchmark again.

/** An organization of the plan Standard that uses all of its month, which is the most that it can cost. */
export const ORGANIZATION = {
  requestsAMonth: 100,
  workdaysAMonth: 22,
  hoursADay: 8,
  /** The busiest second of a month beside its mean working second. */
  peak: 5,
  /** Open at the same time; one ends after 7 days without use. */
  sessions: 3,
  /** Of what was sent in 40 days, the shares that had a token of its own: each leaves a note. */
  tokensPerRequest: 0.5,
  /** Open pages at the busiest second, each one stream. */
  pages: 0.05,
}

/** Between a request to the service and its answer, in seconds. */
export const SERVICE_SECONDS = 0.3

/** How much of what a machine can do is used at the busiest second. */
export const MOST_USED = 0.5

/** In dollars a month: round figures as public clouds asked for machines of this size in 2026, of no offer in particular. */
export const PRICES = {
  /** Four cores and 16 GB: four processes, or a SQLite machine. */
  app: { cores: 4, dollars: 120 },
  /** Eight cores and 64 GB: one Redis, of which half is left free for the rewrite of its file. */
  redis: { gigabytes: 64, dollars: 400 },
  /** A gigabyte of disk. */
  diskGigabyte: 0.1,
  loadBalancer: 20,
}

/** Constants of the code that limit how far it goes: CONCURRENCY in src/bff/service/upstream.ts, the fold in src/store. */
export const CODE = {
  upstreamSockets: 64,
  sqliteRowsOfASweep: 10_000,
  redisStepsOfASweep: 100,
  redisKeysOfAStep: 1000,
  redisRowsOfAStep: 200,
  sweepSeconds: 600,
}
