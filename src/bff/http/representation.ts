/** What a browser accepts, of what there is (RFC 9110 12.5). */

/** The names in an `Accept-...` field, the preferred one first; a weight of 0 means not acceptable. */
export const accepted = (field: string | null): string[] =>
  (field ?? '')
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ name, weight }) => name !== '' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ name }) => name)

/** The language that the browser prefers, of those that there are; `en` where it names none of them. */
export const acceptedLanguage = (field: string | null, isThere: (language: string) => boolean): string =>
  accepted(field)
    .map((tag) => tag.split('-', 1)[0] ?? '')
    .find(isThere) ?? 'en'
