/** What a PDF contains that its pages do not show in Veridesk, read from its objects. */
import { maxDocumentPages } from '#contract/documents/documents.ts'
import type { MissingFinding } from '#contract/failures/failures.ts'
import { pdfStart } from '../type.ts'
import { objectsOf, type PdfObjects } from './objects.ts'
import { isDict, isRef, type PdfDict, type PdfValue } from './values.ts'

/** Names and texts that are listed, and the characters of each. */
const [maxListed, maxLength] = [5, 80]

const actions: Readonly<Record<string, string>> = {
  '/JavaScript': 'JavaScript',
  '/Launch': 'Launch',
  '/SubmitForm': 'SubmitForm',
  '/ImportData': 'ImportData',
  '/GoToE': 'GoToE',
  '/Rendition': 'Rendition',
  '/RichMediaExecute': 'RichMedia',
  '/SetOCGState': 'SetOCGState'
}
/** Annotations that nobody misses: they show nothing, or something that is named elsewhere. */
const silent: readonly PdfValue[] = ['/Link', '/Popup', '/Widget', '/PrinterMark', '/TrapNet']
/** Those that pdf.js draws without an appearance of their own. */
const drawn: readonly PdfValue[] = [
  '/Square',
  '/Circle',
  '/Line',
  '/PolyLine',
  '/Polygon',
  '/Ink',
  '/Highlight',
  '/Underline',
  '/Squiggly',
  '/StrikeOut'
]
/** Flags of an annotation that no reader shows on a screen: hidden, no view. */
const invisible = 2 | 32

const textOf = (value: PdfValue): string =>
  typeof value === 'object' && 'text' in value ? value.text.replace(/\s+/g, ' ').trim().slice(0, maxLength) : ''

/** The first of some texts in quotes; the rest is counted. */
function listed(texts: readonly string[]): string {
  const named = texts.filter((text) => text !== '')
  const first = named.slice(0, maxListed).map((text) => `“${text}”`)
  return [...first, ...(named.length > maxListed || first.length === 0 ? ['…'] : [])].join(', ')
}

interface Contained {
  readonly files: string[]
  readonly notes: string[]
  readonly actions: Set<string>
}

/** Looks at everything that a catalog leads to, each object once. */
function contained({ catalog, of }: PdfObjects): Contained {
  const found: Contained = { files: [], notes: [], actions: new Set() }
  const seen = new Set<number>()
  // Grows while it is walked.
  const waiting: PdfValue[] = [catalog]
  for (const value of waiting) {
    if (value !== undefined && isRef(value)) {
      if (seen.has(value.ref)) continue
      seen.add(value.ref)
    }
    const next = of(value)
    if (Array.isArray(next)) for (const each of next) waiting.push(each)
    else if (isDict(next)) {
      look(next)
      for (const each of next.values()) if (typeof each === 'object') waiting.push(each)
    }
  }
  return found

  function look(dict: PdfDict): void {
    if (isDict(of(dict.get('/EF'))))
      found.files.push(
        ['/UF', '/F', '/Unix', '/DOS'].map((key) => textOf(of(dict.get(key)))).find((name) => name) ?? ''
      )
    const kind = of(dict.get('/S'))
    if (typeof kind === 'string' && Object.hasOwn(actions, kind)) found.actions.add(actions[kind] ?? '')
    const subtype = of(dict.get('/Subtype'))
    if (typeof subtype === 'string' && Array.isArray(of(dict.get('/Rect')))) note(dict, subtype)
  }
  function note(dict: PdfDict, subtype: string): void {
    const flags = of(dict.get('/F'))
    if (silent.includes(subtype) || (typeof flags === 'number' && (flags & invisible) !== 0)) return
    const appearance = of(dict.get('/AP'))
    const hasAppearance = isDict(appearance) && isDict(of(appearance.get('/N')))
    // A note in the margin is an icon: its text opens in other readers alone.
    if (subtype !== '/Text' && (hasAppearance || drawn.includes(subtype))) return
    const name = of(dict.get('/Name'))
    found.notes.push(
      textOf(of(dict.get('/Contents'))) ||
        // The names of the standard's stamps, such as `NotApproved`.
        (subtype === '/Stamp' && typeof name === 'string' ? name.slice(1).replace(/(?<=[a-z])(?=[A-Z])/g, ' ') : '')
    )
  }
}

function layersOff({ catalog, of }: PdfObjects): string[] {
  const properties = of(catalog?.get('/OCProperties'))
  const usual = isDict(properties) ? of(properties.get('/D')) : undefined
  if (!isDict(properties) || !isDict(usual)) return []
  const listOf = (value: PdfValue): readonly PdfValue[] => {
    const list = of(value)
    return Array.isArray(list) ? list : []
  }
  const keyOf = (value: PdfValue): PdfValue => (value !== undefined && isRef(value) ? value.ref : undefined)
  const on = new Set(listOf(usual.get('/ON')).map(keyOf))
  const off =
    of(usual.get('/BaseState')) === '/OFF'
      ? listOf(properties.get('/OCGs')).filter((layer) => !on.has(keyOf(layer)))
      : listOf(usual.get('/OFF'))
  return off.map((layer) => {
    const dict = of(layer)
    return isDict(dict) ? textOf(of(dict.get('/Name'))) : ''
  })
}

/** A file that was cut has objects after its last end, or no end at all. */
function isCut(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf('%%EOF', undefined, 'latin1')
  return end < 0 || bytes.includes(' obj', end, 'latin1')
}

/** The findings about a PDF, the most important first. */
export function pdfFindings(bytes: Buffer): MissingFinding[] {
  const before = pdfStart(bytes) ?? 0
  const objects = objectsOf(bytes)
  const { catalog, of, isEncrypted, whole } = objects
  const { files, notes, actions: does } = contained(objects)
  const layers = layersOff(objects)
  const form = of(catalog?.get('/AcroForm'))
  const tree = of(catalog?.get('/Pages'))
  const pages = isDict(tree) ? of(tree.get('/Count')) : undefined
  // Texts of an encrypted document are not readable either.
  const names = (texts: readonly string[]): string => (isEncrypted ? '…' : listed(texts))
  const findings: (MissingFinding | false)[] = [
    isCut(bytes) && { code: 'cut-off', details: { type: 'PDF' } },
    isEncrypted && { code: 'encrypted' },
    files.length > 0 && {
      code: catalog?.has('/Collection') ? 'portfolio' : 'files-inside',
      details: { count: files.length, names: names(files) }
    },
    isDict(form) && form.has('/XFA') && { code: 'form-not-drawn' },
    notes.length > 0 && { code: 'notes-not-drawn', details: { count: notes.length, texts: names(notes) } },
    layers.length > 0 && { code: 'layers-off', details: { count: layers.length, names: names(layers) } },
    typeof pages === 'number' &&
      pages > maxDocumentPages && { code: 'more-pages', details: { count: pages, limit: maxDocumentPages } },
    does.size > 0 && { code: 'actions', details: { names: [...does].sort().join(', ') } },
    !whole && { code: 'partly-read' },
    before > 0 && { code: 'bytes-before', details: { count: before } }
  ]
  return findings.filter((finding) => finding !== false)
}
