/** What a person reads if a PDF or one of its pages is not shown: what happened, and the next step. */
import { pdfSeconds, type PdfFault } from './messages.ts'
import { words } from '../words.ts'

export const pdfFaultWords: Readonly<Record<PdfFault, { readonly what: string; readonly next: string }>> = {
  damaged: {
    what: words.thePdfIsDamagedAnd,
    next: words.askItsSourceForThe
  },
  password: {
    what: words.thePdfIsEncryptedAnd,
    next: words.askItsSourceForA
  },
  complex: {
    what: words.thisPageNeedsMoreMemory,
    next: words.askItsSourceForAn
  },
  slow: {
    what: words.thisPageWasStoppedAfter({ pdfSeconds }),
    next: words.askItsSourceForAn
  },
  unusable: {
    what: words.thePartOfVerideskThat,
    next: words.closeTheDocumentAndOpen
  }
}
