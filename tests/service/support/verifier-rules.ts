/** The rules of the stand-alone verifier, to weaken one at a time. */

/** Where the rules (`must(`) are in the text of verify.mjs, of some of its parts. */
export function rulesOf(source: string, parts: readonly string[]): number[] {
  const heads = [...source.matchAll(/^\/\/ --- ([a-z0-9-]+\.mjs) -+$/gm)]
  return [...source.matchAll(/\bmust\(/g)].flatMap(({ index }) => {
    const head = heads.findLast((each) => each.index < index)
    return parts.includes(head?.[1] ?? '') ? [index] : []
  })
}
