/** Why a workbook is not read. */
export const workbookFaults = [
  /** Protected by a password: encrypted as a whole, or one of its parts. */
  'encrypted',
  /** .xls */
  'old-excel',
  /** .xlsb */
  'binary',
  /** .ods */
  'open-document',
  'not-a-workbook',
  /** The archive or a part of it does not follow its standard. */
  'damaged',
  'no-sheet',
  /** A declaration of a document type, with which XML can name files and multiply itself. */
  'entities',
  /** Rows or cells that go back, so that two could claim the same place. */
  'order',
  'many-parts',
  'large-sheet',
  'large-texts',
  'large-part',
  'large-cell',
  /** Unpacks to far more than any real workbook does. */
  'bomb'
] as const
export type WorkbookFault = (typeof workbookFaults)[number]

/** Thrown while a workbook is opened or read. */
export class WorkbookError extends Error {
  readonly fault: WorkbookFault
  constructor(fault: WorkbookFault) {
    super(`workbook: ${fault}`)
    this.fault = fault
  }
}

/** The error to throw for one of a parser: whatever it could not read is damaged. A system's error stays itself. */
export function asWorkbookError(error: unknown): unknown {
  const system = error instanceof Error && 'syscall' in error
  return error instanceof WorkbookError || system ? error : new WorkbookError('damaged')
}
