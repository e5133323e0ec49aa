/** What a person reads if a PDF or one of its pages is not shown: what happened, and the next step. */
import { pdfSeconds, type PdfFault } from './messages.ts'

export const pdfFaultWords: Readonly<Record<PdfFault, { readonly what: string; readonly next: string }>> = {
  damaged: {
    what: 'The PDF is damaged and cannot be shown',
    next: 'Ask its source for the document again, or for an image of it.'
  },
  password: {
    what: 'The PDF is encrypted and needs a password',
    next: 'Ask its source for a copy without a password.'
  },
  complex: {
    what: 'This page needs more memory than Veridesk allows',
    next: 'Ask its source for an image of the document. Other pages may be shown.'
  },
  slow: {
    what: `This page was stopped after ${pdfSeconds} seconds`,
    next: 'Ask its source for an image of the document. Other pages may be shown.'
  },
  unusable: {
    what: 'The part of Veridesk that shows PDF documents did not start',
    next: 'Close the viewer and open the document again. If it happens again, reinstall Veridesk.'
  }
}
