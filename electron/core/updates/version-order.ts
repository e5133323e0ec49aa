/** The order of versions by Semantic Versioning. Pure. */

function orderOfPart(a: string, b: string): number {
  const [first, second] = [a, b].map((part) => (/^\d+$/.test(part) ? Number(part) : undefined))
  if (first !== undefined && second !== undefined) return first - second
  // A number is before a word.
  if (first !== undefined || second !== undefined) return first === undefined ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}

function orderOfParts(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((part, index) => b[index] === undefined || orderOfPart(part, b[index]) !== 0)
  if (differing < 0) return a.length - b.length
  const [mine = '', other] = [a[differing], b[differing]]
  return other === undefined ? 1 : orderOfPart(mine, other)
}

function partsOf(version: string): {
  readonly numbers: readonly string[]
  readonly preview: readonly string[] | undefined
} {
  const [main = '', ...rest] = (version.split('+')[0] ?? '').split('-')
  return { numbers: main.split('.'), preview: rest.length > 0 ? rest.join('-').split('.') : undefined }
}

/** Negative if the first version is older, positive if it is newer, 0 if they are equal. A preview is older than its release. */
export function versionOrder(a: string, b: string): number {
  const [first, second] = [partsOf(a), partsOf(b)]
  const main = orderOfParts(first.numbers, second.numbers)
  if (main !== 0 || (!first.preview && !second.preview)) return main
  if (!first.preview || !second.preview) return first.preview ? -1 : 1
  return orderOfParts(first.preview, second.preview)
}
