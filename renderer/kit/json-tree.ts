/** A JSON body as lines of a tree. Only branches that the user opens are expanded. */
import { folded } from '#kit/text/folding.ts'
import { words } from './words.ts'

export interface TreeLine {
  /** Path of keys from the root; unique. */
  readonly path: string
  readonly depth: number
  readonly name: string
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** Text of a leaf, or the size of a branch. */
  readonly text: string
  /** Defined for branches that are not empty. */
  readonly open?: boolean
}

const kindOf = (value: unknown): TreeLine['kind'] => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'bigint') return 'number'
  const kind = typeof value
  return kind === 'object' || kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'null'
}

const size = (value: object, kind: TreeLine['kind']): string => {
  const held = Object.keys(value).length
  if (kind === 'array') return words.items({ held })
  return words.fields({ held })
}

/** Lines of the tree with the given branches open; at most `limit`. Not recursive, since depth is unbounded. */
export function treeLines(root: unknown, open: ReadonlySet<string>, limit = 50_000): TreeLine[] {
  const lines: TreeLine[] = []
  const stack: { value: unknown; name: string; path: string; depth: number }[] = []
  const push = (value: object, path: string, depth: number): void => {
    const entries = Object.entries(value)
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const [name, inner] = entries[index] as [string, unknown]
      stack.push({ value: inner, name, path: `${path}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`, depth })
    }
  }
  if (typeof root === 'object' && root !== null) push(root, '', 0)
  while (stack.length > 0 && lines.length < limit) {
    const { value, name, path, depth } = stack.pop() as (typeof stack)[number]
    const kind = kindOf(value)
    const branch = typeof value === 'object' && value !== null && Object.keys(value).length > 0
    const text = typeof value === 'object' && value !== null ? size(value, kind) : String(value)
    lines.push({ path, depth, name, kind, text, ...(branch && { open: open.has(path) }) })
    if (branch && open.has(path)) push(value, path, depth + 1)
  }
  return lines
}

/** Branches to open initially: the first two levels if the tree stays short. */
export function openAtFirst(root: unknown, most = 60): Set<string> {
  const open = new Set<string>()
  for (let level = 0; level < 2; level += 1) {
    const branches = treeLines(root, open, most + 1).filter((line) => line.open === false && line.depth === level)
    const wider = new Set([...open, ...branches.map((line) => line.path)])
    if (treeLines(root, wider, most + 1).length > most) break
    for (const path of wider) open.add(path)
  }
  return open
}

const parentsOf = (path: string): string[] => {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)
}

/** Every branch of the tree; at most `limit` lines are looked at. */
export function allBranches(root: unknown, limit = 50_000): Set<string> {
  const open = new Set<string>()
  const everything = { has: () => true } as unknown as ReadonlySet<string>
  for (const line of treeLines(root, everything, limit)) if (line.open !== undefined) open.add(line.path)
  return open
}

/** The paths of lines whose name or value contains the text, in the tree's order, open or not. */
export function findInTree(root: unknown, text: string, limit = 50_000): string[] {
  const sought = folded(text)
  if (sought === '') return []
  const everything = { has: () => true } as unknown as ReadonlySet<string>
  return treeLines(root, everything, limit).flatMap(({ path, name, kind, text: value }) =>
    folded(name).includes(sought) || (kind !== 'object' && kind !== 'array' && folded(value).includes(sought))
      ? [path]
      : []
  )
}

/** The branches that have to be open for a line to be seen. */
export const openFor = (open: ReadonlySet<string>, path: string): Set<string> => new Set([...open, ...parentsOf(path)])

/** Parses a body for the tree; integers too large for a double keep their digits. Undefined if it is not JSON. */
export function parseBody(body: string): unknown {
  const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? 0)
      : value
  for (const reviver of [keepDigits, undefined]) {
    try {
      // A reviver is called recursively and fails on very deep bodies, which parse without one.
      return JSON.parse(body, reviver)
    } catch {
      continue
    }
  }
  return undefined
}
