/**
 * Compares a pack with an export of the audit trail in JSON lines: both must come from one audit trail, and the daily
 * time-stamps in the export say by when its events existed.
 */
import { fromBase64, toBytes, toHex, utf8 } from './bytes.mjs'
import { isObject, must, parsedJson } from './canonical.mjs'
import { forked, nodesOf, rootWithin } from './compare.mjs'
import { leafHash, nodeHash } from './merkle.mjs'
import { isHex } from './shape.mjs'
import { verifyTimestamp } from './timestamps.mjs'

/** The head of a tree as a C2SP checkpoint, a signed note: origin, number of events and root. */
const checkpointForm =
  /^(veridesk\/[0-9a-f]{32})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n— \1 ([A-Za-z0-9+/]{91}=)\n$/
const isHash = (value) => isHex(32)(value) === undefined
const isNumber = (value) => Number.isSafeInteger(value) && value > 0

function firstLine(text) {
  try {
    return JSON.parse(text.slice(0, text.indexOf('\n')))
  } catch {
    return undefined
  }
}

/** An export; undefined if the text is not one. Refused if it was cut off. */
export function readExport(text) {
  const first = firstLine(text)
  if (!isObject(first) || first.format !== 'veridesk-audit-trail') return undefined
  const [, ...lines] = text.split('\n')
  const [end, nothing] = lines.splice(-2)
  const last = nothing === '' ? parsedJson(end) : undefined
  must(
    first.version === 1 && isObject(first.head) && isNumber(first.head.seq) && isHash(first.head.hash),
    'The export of the audit trail is not in the form that it must have.'
  )
  must(isObject(last) && last.end === true && last.rows === lines.length, 'The export of the audit trail was cut off.')
  const rows = lines.map(parsedJson)
  let before = 0
  for (const row of rows) {
    must(
      isObject(row) && isNumber(row.seq) && row.seq > before && row.seq <= first.head.seq && isHash(row.hash),
      'The export of the audit trail is not in the form that it must have.'
    )
    before = row.seq
  }
  return { head: first.head, rows, isWhole: rows.length === first.head.seq }
}

/** The roots (hex) over the first events, by their number, for each of some numbers. */
async function rootsAt(rows, sizes) {
  const found = new Map()
  const stack = []
  for (const [index, { hash }] of rows.entries()) {
    let top = { size: 1, node: await leafHash(toBytes(hash)) }
    while (stack.at(-1)?.size === top.size)
      top = { size: top.size * 2, node: await nodeHash(stack.pop().node, top.node) }
    stack.push(top)
    if (!sizes.has(index + 1)) continue
    const [last, ...left] = [...stack].reverse()
    let { node } = last
    for (const each of left) node = await nodeHash(each.node, node)
    found.set(index + 1, toHex(node))
  }
  return found
}

/** The time-stamps in the events of an export, with the checkpoint that each is about. */
function stampsIn({ rows, head }) {
  return rows
    .filter(({ timestamp }) => timestamp !== undefined)
    .map(({ seq, timestamp }) => {
      const { checkpoint, token } = isObject(timestamp) ? timestamp : {}
      const [, origin, digits, root] = checkpointForm.exec(checkpoint) ?? []
      const bytes = typeof token === 'string' ? fromBase64(token) : undefined
      must(
        origin !== undefined && Number(digits) < seq && Number(digits) <= head.seq && bytes,
        `The time-stamp of event ${seq} is not in the form that it must have.`
      )
      return { seq, checkpoint, origin, size: Number(digits), root: toHex(fromBase64(root) ?? []), token: bytes }
    })
}

/** Whether the pack's audit trail provably continues the export's, or the other way round; refused if it is another. */
async function compareRoots({ size, root, earlier, ...trail }, exported, roots) {
  if (exported.size >= size) {
    must(
      roots.get(size) === root,
      `The export of the audit trail contradicts this pack about events 1 to ${size}: ${forked}.`
    )
    return exported.size === size ? 'same' : 'continued'
  }
  const nodes = await nodesOf({ ...trail, size, root })
  const known = [
    await rootWithin(nodes, 0, exported.size),
    ...(earlier?.size === exported.size ? [earlier.root] : [])
  ].filter((each) => each !== undefined)
  for (const each of known)
    must(
      each === roots.get(exported.size),
      `The export of the audit trail contradicts this pack about events 1 to ${exported.size}: ${forked}.`
    )
  return known.length > 0 ? 'continued' : 'open'
}

/**
 * Compares a verified pack with an export. Returns `trails` as for two packs, the number of the export's events, and its
 * time-stamps; refused if one contradicts the other, or if a time-stamp is not valid and the reader named authorities: one
 * of another authority is not checked.
 */
export async function compareExport({ trail }, exported, authorities) {
  const { head, rows, isWhole } = exported
  const size = head.seq
  const hashes = new Map([...rows.map((row) => [row.seq, row.hash]), [head.seq, head.hash]])
  const shown = [
    [1, trail.origin.leaf],
    ...trail.events.flatMap(({ seq, hash, previous }) => [
      [seq, hash],
      [seq - 1, previous]
    ])
  ].filter(([seq]) => hashes.has(seq))
  if (!shown.some(([seq, hash]) => hashes.get(seq) === hash))
    return { trails: 'other', size, isExport: true, stamps: [] }
  for (const [seq, hash] of shown)
    must(hashes.get(seq) === hash, `The export of the audit trail contradicts this pack about event ${seq}: ${forked}.`)
  must(
    rows.at(-1)?.seq !== size || rows.at(-1).hash === head.hash,
    'The export of the audit trail contradicts itself about its last event.'
  )
  const found = stampsIn(exported)
  if (!isWhole)
    return {
      trails: 'open',
      size,
      isExport: true,
      stamps: found.map((stamp) => ({ ...stamp, checked: false, isFiltered: true }))
    }
  const roots = await rootsAt(rows, new Set([trail.size, size, ...found.map((stamp) => stamp.size)]))
  const trails = await compareRoots(trail, { size }, roots)
  const stamps = []
  for (const stamp of found) {
    must(
      stamp.origin === `veridesk/${trail.origin.leaf.slice(0, 32)}` && roots.get(stamp.size) === stamp.root,
      `The time-stamp of event ${stamp.seq} is about another audit trail.`
    )
    const stated =
      authorities.length === 0
        ? undefined
        : await verifyTimestamp(stamp.token, utf8.encode(stamp.checkpoint), authorities)
    must(
      !stated || stated.valid || stated.isOfAnother,
      `The time-stamp of event ${stamp.seq} is not valid. ${stated?.why}`
    )
    stamps.push({
      ...stamp,
      ...stated,
      checked: stated?.valid === true,
      existed: trail.events.filter(({ seq }) => seq <= stamp.size).length,
      of: trail.events.length
    })
  }
  return { trails, size, isExport: true, stamps }
}
