/** Sentences of documents. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  viewDocumentLabel: ({ label }: { label: Value }) => `View document: ${label}`,
  viewDocument: 'View document',
  theSameFileAsAt: ({ time }: { time: Value }) => `The same file as at ${time}.`,
  changedSinceNoted: ({ time }: { time: Value }) =>
    `The file behind this link has changed since it was noted at ${time}.`,
  changedSinceVerified: ({ time }: { time: Value }) =>
    `The file behind this link has changed since the verification of ${time}.`,
  veridesksOwnReadingLabel: ({ label }: { label: Value }) => `Veridesk’s own reading: ${label}`,
  veridesksOwnReading: 'Veridesk’s own reading',
  thisIsWhatWasBehind: ({ time }: { time: Value }) =>
    `This is what was behind the link at ${time}, not what the service verified.`,
  findings: 'Findings',
  noFindings: 'No findings.',
  sha256: 'SHA-256',
  copySha256: 'Copy SHA-256',
  copy: 'Copy',
  none: 'None',
  present: 'Present',
  damaged: 'Damaged',
  notReadForThisType: 'Not read for this type',
  type: 'Type',
  size: 'Size',
  sizeInBytes: ({ size, bytes }: { size: Value; bytes: Value }) => `${size} (${bytes} bytes)`,
  pixels: 'Pixels',
  server: 'Server',
  hostAfterRedirects: ({ host, redirects }: { host: Value; redirects: number }) =>
    plural(redirects, { one: `${host}, after {n} redirect`, other: `${host}, after {n} redirects` }),
  software: 'Software',
  camera: 'Camera',
  taken: 'Taken',
  changed: 'Changed',
  xmpSoftware: 'XMP software',
  xmpHistory: 'XMP history',
  xmpCreated: 'XMP created',
  xmpChanged: 'XMP changed',
  orientation: 'Orientation',
  location: 'Location',
  contained: 'Contained',
  notContained: 'Not contained',
  pages: 'Pages',
  theDocumentIsNotShown: 'The document is not shown',
  tryAgain: 'Try again',
  loadingTheDocument: 'Loading the document …',
  heicImagesCannotBeShown: 'HEIC images cannot be shown',
  askItsSourceForAJpeg:
    'Ask its source for a JPEG, or open it with the application of the phone that took it and save one.',
  shownSmaller: ({ width, height }: { width: Value; height: Value }) =>
    `Shown with ${width} × ${height} pixels, since the whole image would take too much memory.`,
  theImageIsDamagedAnd: 'The image is damaged and cannot be shown',
  itWasFetchedAndNot: 'It was fetched and not stored. What Veridesk read in it is listed here.',
  imageOfLabelTheArrow: ({ label }: { label: Value }) =>
    `Image of ${label}. The arrow keys move it. Page Up and Page Down turn its pages.`,
  imageOfLabelTheArrowKeys: ({ label }: { label: Value }) => `Image of ${label}. The arrow keys move it.`,
  pagePageOfPagesOf: ({ page, pages, label }: { page: Value; pages: Value; label: Value }) =>
    `Page ${page} of ${pages} of the document behind ${label}`,
  documentBehindLabel: ({ label }: { label: Value }) => `Document behind ${label}`,
  theFirstShownpagesOfIts: ({ shownPages, pages }: { shownPages: Value; pages: Value }) =>
    `The first ${shownPages} of its ${pages} pages can be shown.`,
  loadingDocument: 'Loading the document',
  pdfLoadedPagePageOf: ({ page, pages }: { page: Value; pages: Value }) => `PDF loaded, page ${page} of ${pages}`,
  documenttypenamesLoaded: ({ documentTypeNames }: { documentTypeNames: Value }) => `${documentTypeNames} loaded`,
  documenttypenamesLoadedPixelsByLines: ({
    documentTypeNames,
    pixels,
    lines
  }: {
    documentTypeNames: Value
    pixels: Value
    lines: Value
  }) => `${documentTypeNames} loaded, ${pixels} by ${lines} pixels`,
  labelTheDocumentIsNot: ({ label }: { label: Value }) => `${label}: the document is not shown`,
  page1OfTheDocument: ({ label }: { label: Value }) => `Page 1 of the document behind ${label}`,
  countedFindings: ({ findings }: { findings: number }) =>
    plural(findings, { one: '{n} finding', other: '{n} findings' }),
  nothingFound: 'No findings',
  countedPages: ({ pages }: { pages: number }) => plural(pages, { one: '{n} page', other: '{n} pages' }),
  sameFileAsAtTime: ({ time }: { time: Value }) => `Same file as at ${time}`,
  documentsOpenedAutomatically: 'Documents, opened automatically',
  theFirstMaxautomaticDocumentsAre: ({ maxAutomatic }: { maxAutomatic: Value }) =>
    `The first ${maxAutomatic} documents are opened automatically. The others have a button.`,
  notOpenedRemovedlabelsTheHistory: ({ removedLabels }: { removedLabels: Value }) =>
    `Not opened: ${removedLabels}. The history stores this link without its signature, so the document cannot be fetched again.`,
  imageControlsForLabel: ({ label }: { label: Value }) => `Image controls for ${label}`,
  previousPage: 'Previous page',
  previousPagePageUp: 'Previous page (Page Up)',
  pagePageOfPages: ({ page, pages }: { page: Value; pages: Value }) => `Page ${page} of ${pages}`,
  nextPage: 'Next page',
  nextPagePageDown: 'Next page (Page Down)',
  zoomOut: 'Zoom out',
  zoomOutMinus: 'Zoom out (-)',
  actualSizeNowPercent: ({ percent }: { percent: Value }) => `Actual size, now ${percent}`,
  actualSize0: 'Actual size (0)',
  zoomIn: 'Zoom in',
  zoomInPlus: 'Zoom in (+)',
  fit: 'Fit',
  fitF: 'Fit (F)',
  rotate: 'Rotate',
  rotateR: 'Rotate (R)',
  brightness: 'Brightness',
  document: 'Document',
  sideBySide: 'Side by side',
  lockZoom: 'Lock zoom',
  keysOfHeldDocument:
    '{plus} {minus} zoom, {zero} actual size, {f} fit, {r} rotate, arrow keys move, {pageUp} {pageDown} turn the pages of a PDF. The document stays in memory while its record or applicant is open.',
  keysOfDocument:
    '{plus} {minus} zoom, {zero} actual size, {f} fit, {r} rotate, arrow keys move, {pageUp} {pageDown} turn the pages of a PDF. Closing removes the document from memory.',
  theDocumentWasFetchedAnd: 'The document was fetched and not stored. What Veridesk read in it is listed here.',
  drawingThePage: 'Drawing the page …',
  thePdfIsDamagedAnd: 'The document is damaged and cannot be shown',
  askItsSourceForThe: 'Ask its source for the document again, or for an image of it.',
  thePdfIsEncryptedAnd: 'The PDF is encrypted and needs a password',
  askItsSourceForA: 'Ask its source for a copy without a password.',
  thisPageNeedsMoreMemory: 'This page needs more memory than Veridesk allows',
  askItsSourceForAn: 'Ask its source for an image of the document. Other pages may be shown.',
  thisPageWasStoppedAfter: ({ pdfSeconds }: { pdfSeconds: Value }) =>
    `This page was stopped after ${pdfSeconds} seconds`,
  thePartOfVerideskThat: 'The part of Veridesk that shows PDF documents did not start',
  closeTheViewerAndOpen: 'Close the viewer and open the document again. If it happens again, reinstall Veridesk.'
})
