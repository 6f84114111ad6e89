/** Checks of whole JSON values, tied to their types: a value that passes has every member of its type and no other. */
import { isJsonObject } from '../contract/json.ts'

export type Guard<T> = (value: unknown) => value is T

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>

export const isText: Guard<string> = (value) => typeof value === 'string'
export const isFiniteNumber: Guard<number> = (value): value is number => Number.isFinite(value)
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean'

/** One of some constants. */
export const isOneOf =
  <const T>(...constants: readonly T[]): Guard<T> =>
  (value): value is T =>
    constants.some((constant) => constant === value)

/** An array of any length. */
export const isArrayOf =
  <T>(isItem: Guard<T>): Guard<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every((item) => isItem(item))

/** An object of any names. */
export const isRecordOf =
  <T>(isValue: Guard<T>): Guard<{ [name: string]: T }> =>
  (value): value is { [name: string]: T } =>
    isJsonObject(value) && Object.values(value).every((member) => isValue(member))

/** An object with the required members, any of the optional ones, and no others. */
export const isObjectOf =
  <T>(
    required: { [K in RequiredKeys<T>]: Guard<T[K]> },
    optional: { [K in OptionalKeys<T>]: Guard<Exclude<T[K], undefined>> },
  ): Guard<T> =>
  (value): value is T => {
    if (!isJsonObject(value)) return false
    const guards: Record<string, Guard<unknown>> = { ...required, ...optional }
    return (
      Object.keys(required).every((name) => Object.hasOwn(value, name)) &&
      Object.entries(value).every(
        ([name, member]) => Object.hasOwn(guards, name) && guards[name]?.(member) === true,
      )
    )
  }
