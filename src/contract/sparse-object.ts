/** The greatest array index. */
const GREATEST = 2 ** 32 - 2

/**
 * An empty object for names that may be whole numbers, such as a limit. V8 reserves memory for each whole
 * number below a name, 7 kB for `600`, but not in an object that once had a very large one. A copy (`{
 * ...object }`) reserves it again.
 */
export function sparseObject<T>(): { [name: string]: T } {
  const object: { [name: string]: T | undefined } = { [GREATEST]: undefined }
  delete object[GREATEST]
  return object as { [name: string]: T }
}
