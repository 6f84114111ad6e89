/** Greatest name that is the index of an array. */
const GREATEST = 2 ** 32 - 2

/**
 * An empty object for names that may be whole numbers, such as a limit. V8 sets memory aside for each whole number below a name, 7 kB for
 * `600`, but not in an object that has had a great one. A copy of it (`{ ...object }`) takes that memory again.
 */
export function sparseObject<T>(): { [name: string]: T } {
  const object: { [name: string]: T | undefined } = { [GREATEST]: undefined }
  delete object[GREATEST]
  return object as { [name: string]: T }
}
