/**
 * Reads workbooks (.xlsx, .xlsm; ECMA-376, transitional and strict) as a stream, with bounded memory. Cells are text:
 * the digits of the file, dates as ISO text, formulas by the value that was saved with them.
 */
import type { FileHandle } from 'node:fs/promises'
import { openContainer, type Container } from './container.ts'
import { WorkbookError } from './fault.ts'
import { limits } from './limits.ts'
import { formOf, type NumberForm } from './numbers.ts'
import { sheetRows, type SheetFacts, type SheetRow } from './sheet.ts'
import { noTexts, readTexts } from './texts.ts'
import { isOn, readXml, type Attributes } from './xml.ts'

export interface Sheet {
  readonly name: string
  /** `very-hidden`: only a macro can show it. */
  readonly state: 'visible' | 'hidden' | 'very-hidden'
}

export interface Workbook {
  /** Those with cells, in their order. */
  readonly sheets: readonly Sheet[]
  /** The rows of a sheet, from its first line. Throws `WorkbookError`. */
  rows(sheet: number): AsyncGenerator<SheetRow, SheetFacts>
}

interface Relation {
  readonly kind: string
  readonly path: string
}

/** A target as a path in the archive, whether it is relative or absolute. */
export function resolveTarget(from: string, target: string): string {
  const plain = target.replaceAll('\\', '/')
  const base = plain.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of plain.split('/')) {
    if (step === '..') base.pop()
    else if (step !== '' && step !== '.') base.push(step)
  }
  try {
    return decodeURIComponent(base.join('/'))
  } catch {
    return base.join('/')
  }
}

async function relationsOf(container: Container, path: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const file = `${folder}_rels/${path.slice(folder.length)}.rels`
  const found = new Map<string, Relation>()
  if (!container.has(file)) return found
  await readXml(container.read(file, limits.part, 'large-part'), {
    open(name, { Id, Type, Target, TargetMode }) {
      if (name !== 'Relationship' || !Id || !Type || !Target || TargetMode?.value === 'External') return
      found.set(Id.value, {
        kind: Type.value.slice(Type.value.lastIndexOf('/') + 1),
        path: resolveTarget(path, Target.value)
      })
    }
  })
  return found
}

const states: Readonly<Record<string, Sheet['state']>> = { hidden: 'hidden', veryHidden: 'very-hidden' }

/** The attribute with which a sheet names its part; its prefix is the file's own choice. */
const relationId = (attributes: Attributes): string | undefined =>
  Object.values(attributes).find(({ local, uri }) => local === 'id' && uri.endsWith('/relationships'))?.value

async function readForms(container: Container, path: string | undefined): Promise<readonly NumberForm[]> {
  if (path === undefined || !container.has(path)) return []
  const codes = new Map<number, string>()
  const ids: number[] = []
  await readXml(container.read(path, limits.part, 'large-part'), {
    open(name, { numFmtId, formatCode }, above) {
      if (above.length !== 2) return
      const id = Number(numFmtId?.value ?? 0)
      if (name === 'numFmt' && above[1] === 'numFmts') codes.set(id, formatCode?.value ?? '')
      else if (name === 'xf' && above[1] === 'cellXfs') ids.push(id)
    }
  })
  const forms = new Map<number, NumberForm>()
  return ids.map((id) => {
    const known = forms.get(id) ?? formOf(id, codes)
    forms.set(id, known)
    return known
  })
}

/** Opens a workbook. The handle stays the caller's to close, after the last row was read. Throws `WorkbookError`. */
export async function openWorkbook(from: FileHandle | Buffer): Promise<Workbook> {
  const container = await openContainer(from)
  const top = [...(await relationsOf(container, '')).values()].find(({ kind }) => kind === 'officeDocument')
  if (!top || !container.has(top.path)) throw new WorkbookError('not-a-workbook')
  if (/\.bin$/i.test(top.path)) throw new WorkbookError('binary')
  const relations = await relationsOf(container, top.path)
  const pathOf = (kind: string): string | undefined =>
    [...relations.values()].find((relation) => relation.kind === kind)?.path

  const sheets: (Sheet & { readonly path: string })[] = []
  let since1904 = false
  let root = ''
  await readXml(container.read(top.path, limits.part, 'large-part'), {
    open(name, attributes, above) {
      if (above.length === 0) root = name
      if (name === 'workbookPr' && above.length === 1) since1904 = isOn(attributes['date1904'])
      if (name !== 'sheet' || above[1] !== 'sheets') return
      const relation = relations.get(relationId(attributes) ?? '')
      // Sheets of charts, dialogs and old macros have no cells.
      if (relation?.kind !== 'worksheet') return
      const state = states[attributes['state']?.value ?? ''] ?? 'visible'
      sheets.push({ name: attributes['name']?.value ?? '', state, path: relation.path })
    }
  })
  if (root !== 'workbook') throw new WorkbookError('not-a-workbook')
  if (sheets.length === 0) throw new WorkbookError('no-sheet')

  return {
    sheets: sheets.map(({ name, state }) => ({ name, state })),
    async *rows(index) {
      const sheet = sheets[index]
      if (!sheet) throw new WorkbookError('no-sheet')
      const forms = await readForms(container, pathOf('styles'))
      const shared = pathOf('sharedStrings')
      const texts =
        shared !== undefined && container.has(shared)
          ? await readTexts(container.read(shared, limits.texts, 'large-texts'))
          : noTexts
      const bytes = container.read(sheet.path, limits.sheet, 'large-sheet')
      return yield* sheetRows({ bytes, texts, forms, since1904 })
    }
  }
}
