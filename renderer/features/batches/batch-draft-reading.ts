/** Reads the rows of a batch being created: from a file, a dropped file or pasted text, and again with other settings. */
import { maxBatchText } from '#contract/batches/rows.ts'
import type {
  ApostropheChoice,
  BatchCheck,
  BatchCorrection,
  BatchDelimiter,
  BatchEncoding,
  BatchReading,
  RoundedChoice
} from '#contract/batches/batches.ts'
import type { AnswerOf } from '#contract/ipc/ipc.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { fieldsOfRows, sameOperations } from '#contract/verification/recipes.ts'
import { ask } from '../../bridge.ts'
import { whatHappened } from '../../kit/failure-text.ts'
import { latest } from '../../kit/latest.ts'
import { shownLine } from '../../kit/screen-share.ts'
import { count } from '../../kit/text.ts'
import { useApp } from '../shell/app-store.ts'
import type { DraftState, Source } from './batch-draft-state.ts'
import { base64Of, tooLarge } from './batch-text.ts'
import { apostropheWords, nameFrom } from './batch-words.ts'
import { words } from './words.ts'

type Checked = AnswerOf<'batches.choose'> | AnswerOf<'batches.checkText'>
type Settings = Omit<BatchReading, 'operations'>
type Cell = Pick<BatchCorrection, 'row' | 'column'>

/** How rows are read, as it is asked for again: a proposal of an encoding is not taken for a choice. */
const settingsOf = ({ operations: _, encoding, ...rest }: BatchReading, isProposed: boolean): Settings => ({
  ...rest,
  ...(!isProposed && { encoding })
})

/** What was read, said aloud. */
function readWords(found: BatchCheck): string {
  const missing = fieldsOfRows(found.reading.operations).filter(({ name }) => (found.reading.mapping[name] ?? -1) < 0)
  return missing.length > 0
    ? words.filenameNoColumnIsMapped({
        fileName: shownLine(found.fileName),
        map: missing.map(({ label }) => label).join(' and ')
      })
    : [
        words.filenameGoodValidInvalidInvalid({
          fileName: shownLine(found.fileName),
          good: count(found.good),
          invalid: count(found.invalid),
          duplicates: count(found.duplicates)
        }),
        apostropheWords(found)
      ]
        .join(' ')
        .trim()
}

/** @param again Reads the same rows with other settings. */
function useLook(state: DraftState, again: (as: Settings) => void) {
  const { operations, source, check, failure, refused, asking, order, awaited } = state
  const app = useApp()
  let question = 0

  /** Validates a file; the latest request wins, and the previous result is shown until then. */
  async function look(asked: () => Promise<Checked>, from: Source): Promise<void> {
    const mine = ++question
    asking.value = true
    const answer = await asked()
    if (mine !== question) {
      // Core has these rows with the new settings, even if another request has been made since.
      if (answer.ok && answer.value && answer.value.checkId === check.value?.checkId) check.value = answer.value
      return
    }
    asking.value = false
    failure.value = answer.ok ? undefined : answer.failure
    refused.value = undefined
    if (!answer.ok) {
      app.announce(whatHappened(answer.failure))
      return
    }
    if (!answer.value) return
    const found = answer.value
    if (
      order.value.name === '' ||
      (check.value && order.value.name === nameFrom(check.value.fileName, operations.value))
    )
      order.value.name = nameFrom(found.fileName, operations.value)
    check.value = found
    source.value = from
    const before = awaited.value
    awaited.value = undefined
    // The same rows were chosen or pasted again: they are read as they were.
    if (before && before.sha256 === found.sha256 && JSON.stringify(before.reading) !== JSON.stringify(found.reading)) {
      operations.value = before.reading.operations
      again(settingsOf(before.reading, before.encodingProposed === true))
    }
    app.announce(readWords(found))
  }

  /** What is being read is not taken any more. */
  const forget = (): void => void (question += 1)
  return { look, forget }
}

/** The settings of a reading, each changed by itself. */
function useSettings({ operations, reading, choosesEncoding }: DraftState, reread: (as: Settings) => void) {
  /** The settings that say how the text is read, whatever its columns mean. */
  function ofText(): Settings {
    if (!reading.value) return {}
    const { encoding, delimiter, apostrophes, rounded, sheet } = settingsOf(reading.value, choosesEncoding.value)
    return { encoding, delimiter, apostrophes, rounded, sheet }
  }
  function setOperations(to: readonly OperationId[]): void {
    operations.value = to
    if (reading.value) reread(ofText())
  }
  /** Columns and headings are found again. */
  const setDelimiter = (delimiter: BatchDelimiter): void => reread({ ...ofText(), delimiter })
  const setHeadingRow = (headingRow: number): void => reread({ ...ofText(), headingRow })
  const setSheet = (sheet: string): void => reread({ ...ofText(), sheet })
  const setEncoding = (encoding: BatchEncoding): void =>
    reread({ encoding, apostrophes: reading.value?.apostrophes, rounded: reading.value?.rounded })
  /**
   * Reads the rows again with some settings changed. While the rows are being read for other operations, their fields are
   * not known.
   */
  function change(part: Partial<Settings>): void {
    if (!reading.value || !sameOperations(reading.value.operations, operations.value)) return
    reread({ ...settingsOf(reading.value, choosesEncoding.value), ...part })
  }
  /** Maps a field to a column; another field mapped to that column loses it. */
  function map(field: string, column: number): void {
    const freed = Object.entries(reading.value?.mapping ?? {}).map(
      ([name, had]) => [name, had === column && column >= 0 ? -1 : had] as const
    )
    change({ mapping: { ...Object.fromEntries(freed), [field]: column } })
  }
  const link = (column: number): void => change({ applicantColumn: column })
  const setApostrophes = (apostrophes: ApostropheChoice): void => change({ apostrophes })
  const setRounded = (rounded: RoundedChoice): void => change({ rounded })
  const without = (cells: readonly Cell[]): BatchCorrection[] =>
    (reading.value?.corrections ?? []).filter(
      (each) => !cells.some(({ row, column }) => row === each.row && column === each.column)
    )
  /** Sends other texts than the cells say; the file stays as it is. */
  const correct = (cells: readonly (Cell & { readonly value: string })[]): void =>
    change({ corrections: [...without(cells), ...cells] })
  const undoCorrection = (cell: Cell): void => change({ corrections: without([cell]) })
  /** Leaves a line out; the file stays as it is. */
  const skip = (row: number): void => change({ skipped: [...(reading.value?.skipped ?? []), { row }] })
  const undoSkip = (row: number): void =>
    change({ skipped: (reading.value?.skipped ?? []).filter((each) => each.row !== row) })
  /** Columns are found again, whatever a profile says. */
  const findColumns = (): void => reread(ofText())

  return {
    setOperations,
    setDelimiter,
    setHeadingRow,
    setSheet,
    setEncoding,
    map,
    link,
    setApostrophes,
    setRounded,
    correct,
    undoCorrection,
    skip,
    undoSkip,
    findColumns
  }
}

export function useDraftReading(state: DraftState) {
  const { operations, source, check, wanted, failure, unfit, checking, awaited, usedProfile, step } = state
  let resumed = false
  const { look, forget: forgetQuestion } = useLook(state, reread)
  const settings = useSettings(state, reread)

  async function anew(asked: () => Promise<Checked>, from: Source): Promise<void> {
    wanted.value = undefined
    usedProfile.value = undefined
    const before = awaited.value
    const isAgain = before !== undefined
    await look(asked, from)
    // Other rows than those of the last session begin at the first step.
    if (check.value && check.value.sha256 !== before?.sha256) step.value = 'file'
    // Chosen by itself where the headings match; rows of the last session are read as they were.
    if (!isAgain && !failure.value && check.value?.profile !== undefined) await applyProfile(check.value.profile)
    unfit.value = failure.value?.code === 'batch-file-encoding' && from.kind !== 'pasted' ? from : undefined
    // Other operations were chosen while the rows were being read.
    if (!checking.value && check.value && !sameOperations(check.value.reading.operations, operations.value))
      settings.setOperations(operations.value)
  }
  /** Reads the same rows with a column profile. */
  async function applyProfile(name: string): Promise<void> {
    const [checkId, from] = [check.value?.checkId, source.value]
    if (checkId === undefined || !from) return
    wanted.value = undefined
    await look(() => ask('batches.useProfile', { checkId, name }), from)
    if (failure.value || !check.value) return
    operations.value = check.value.reading.operations
    usedProfile.value = name
  }
  /** Columns are found without the profile, to be chosen by hand. */
  function chooseByHand(): void {
    usedProfile.value = undefined
    settings.findColumns()
  }
  /** Reads the file of the last session again, if it is still the same. */
  async function resume(): Promise<void> {
    const from = awaited.value
    if (!from || check.value || checking.value || from.kind !== 'chosen' || resumed) return
    resumed = true
    const { sha256, reading: as } = from
    await anew(() => ask('batches.reopen', { sha256, reading: as }), { kind: 'chosen' })
  }
  const forget = (): void => {
    forgetQuestion()
    resumed = false
  }
  const choose = (as?: BatchEncoding): Promise<void> =>
    anew(() => ask('batches.choose', { reading: { operations: operations.value, ...(as && { encoding: as }) } }), {
      kind: 'chosen'
    })

  async function drop(file: File, as?: BatchEncoding): Promise<void> {
    // A file that is too large is not read at all: it would not fit into the window's memory.
    const base64 = file.size > maxBatchText ? undefined : await base64Of(file)
    const asked = { operations: operations.value, ...(as && { encoding: as }) }
    return anew(
      async () =>
        base64 === undefined ? tooLarge() : ask('batches.checkDropped', { name: file.name, base64, reading: asked }),
      { kind: 'dropped', file }
    )
  }
  const paste = (text: string): Promise<void> => {
    if (text.length > maxBatchText) return anew(() => Promise.resolve(tooLarge()), { kind: 'pasted' })
    const asUtf8 = { operations: operations.value, encoding: 'utf-8' as const }
    return anew(() => ask('batches.checkText', { name: 'Pasted rows', text, reading: asUtf8 }), { kind: 'pasted' })
  }
  /** One at a time: core keeps what it read last, and the window must show the same. */
  const recheck = latest<void>(async () => {
    const as = wanted.value
    const from = source.value
    const checkId = check.value?.checkId
    if (!as || !from || !checkId) return
    await look(() => ask('batches.recheck', { checkId, reading: { operations: operations.value, ...as } }), from)
    if (wanted.value === as) wanted.value = undefined
  })
  /** Reads the same rows with other settings. Omitted parts are detected again. */
  function reread(as: Settings): void {
    wanted.value = as
    recheck()
  }
  /** Reads the refused source in another encoding; a chosen file must be chosen again, since the window has no path. */
  function readAs(to: BatchEncoding): void {
    if (unfit.value?.kind === 'dropped') void drop(unfit.value.file, to)
    else void choose(to)
  }

  return { resume, choose, drop, paste, readAs, applyProfile, forget, ...settings, chooseByHand }
}
