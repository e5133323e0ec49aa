/** Differences between two JSON values: the previous answer and this one. */

export interface Difference {
  /** Path as in code: `applicant.names[0]`, `applicant["first name"]`; empty for the whole value. */
  readonly path: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly before?: unknown
  readonly after?: unknown
}

/** Maximum number of differences; longer lists are not useful. */
export const maxDifferences = 1000

interface Pair {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function pathTo(path: string, key: string): string {
  if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) return path === '' ? key : `${path}.${key}`
  return `${path}[${JSON.stringify(key)}]`
}

/** The pairs below two objects or arrays: names in the order of `before`, followed by new ones. */
function childrenOf(pair: Pair): { readonly path: string; readonly key: string | number }[] {
  const { path, before, after } = pair
  if (Array.isArray(before) && Array.isArray(after)) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, key) => ({ path: `${path}[${key}]`, key }))
  }
  const names = [...new Set([...Object.keys(before as object), ...Object.keys(after as object)])]
  return names.map((key) => ({ path: pathTo(path, key), key }))
}

/**
 * Differences in document order; arrays are compared by index. At most `maxDifferences`. Values are JSON of any
 * depth, since it does not recurse.
 */
export function differences(before: unknown, after: unknown): readonly Difference[] {
  const found: Difference[] = []
  // A stack with the next pair on top preserves document order.
  const stack: Pair[] = [{ path: '', before, after }]
  while (found.length < maxDifferences) {
    const pair = stack.pop()
    if (!pair) break
    const bothArrays = Array.isArray(pair.before) && Array.isArray(pair.after)
    if (!bothArrays && !(isObject(pair.before) && isObject(pair.after))) {
      if (pair.before !== pair.after)
        found.push({ path: pair.path, kind: 'changed', before: pair.before, after: pair.after })
      continue
    }
    const [old, fresh] = [
      pair.before as Record<string | number, unknown>,
      pair.after as Record<string | number, unknown>
    ]
    const pending: Pair[] = []
    for (const { path, key } of childrenOf(pair))
      pending.push({ path, ...side('before', old, key), ...side('after', fresh, key) } as Pair)
    for (const child of pending.reverse()) stack.push(child)
  }
  return found.map(withKind)
}

/** Marks absent values, to distinguish them from `null`. */
const absent = Symbol('absent')

function side(name: 'before' | 'after', from: Record<string | number, unknown>, key: string | number): object {
  return { [name]: Object.hasOwn(from, key) ? from[key] : absent }
}

function withKind({ path, before, after }: Difference): Difference {
  if (before === absent) return { path, kind: 'added', after }
  if (after === absent) return { path, kind: 'removed', before }
  return { path, kind: 'changed', before, after }
}
