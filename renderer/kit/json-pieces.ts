/** A body as text in pieces, each with the colour that its kind has, and JSON indented. Nothing but white space is changed. */
export interface JsonPiece {
  readonly kind: 'string' | 'number' | 'name' | 'plain'
  readonly text: string
}

const token = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|[A-Za-z]+|[{}[\],:]|\s+|[^\s]/g
/** A body that is deeper is shown as it came. */
const deepest = 100

/** @param isJson Anything else is one piece, as it came. */
export function jsonPieces(text: string, isJson: boolean): readonly JsonPiece[] {
  if (!isJson) return [{ kind: 'plain', text }]
  const pieces: JsonPiece[] = []
  let depth = 0
  const plain = (more: string): void => {
    const last = pieces.at(-1)
    if (last?.kind === 'plain') pieces[pieces.length - 1] = { kind: 'plain', text: last.text + more }
    else pieces.push({ kind: 'plain', text: more })
  }
  const line = (): string => `\n${'  '.repeat(depth)}`
  const tokens = (text.match(token) ?? []).filter((each) => each.trim() !== '')
  for (const [at, each] of tokens.entries()) {
    const next = tokens[at + 1]
    if (each === '{' || each === '[') {
      depth += 1
      if (depth > deepest) return [{ kind: 'plain', text }]
      plain(next === '}' || next === ']' ? each : `${each}${line()}`)
    } else if (each === '}' || each === ']') {
      depth = Math.max(0, depth - 1)
      const before = tokens[at - 1]
      plain(before === '{' || before === '[' ? each : `${line()}${each}`)
    } else if (each === ',') plain(`,${line()}`)
    else if (each === ':') plain(': ')
    else if (each.startsWith('"')) pieces.push({ kind: next === ':' ? 'name' : 'string', text: each })
    else if (/^-?\d/.test(each)) pieces.push({ kind: 'number', text: each })
    else plain(each)
  }
  return pieces
}
