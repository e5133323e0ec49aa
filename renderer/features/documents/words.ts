/** Sentences of documents. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  documents: 'Documents',
  documentTools: 'Tools for documents',
  noDocumentLinksInThe: 'No document links in the answers.',
  loadingTheDocuments: 'Loading the documents',
  photo: 'Photo',
  passport: 'Passport',
  identityDocument: 'Identity document',
  imageInTheResponse: 'Image in the response',
  showTheDocuments: 'Show the documents',
  showDocuments: ({ documents }: { documents: number }) =>
    plural(documents, { one: 'Show {n} document', other: 'Show {n} documents' }),
  show: 'Show',
  showLabel: ({ label }: { label: Value }) => `Show: ${label}`,
  showThisDocument: 'Show this document',
  eachRevealIsRecorded: 'Each reveal is recorded in the audit trail.',
  nothingIsFetchedBefore: 'Nothing is fetched before.',
  alwaysForThisConnection: 'Always for this connection',
  close: 'Close',
  previousDocument: 'Previous document',
  nextDocument: 'Next document',
  sideBySide: 'Side by side',
  toolAndKey: ({ tool, key }: { tool: Value; key: Value }) => `${tool} (${key})`,
  zoomOut: 'Zoom out',
  actualSize: 'Actual size',
  actualSizeNowPercent: ({ percent }: { percent: Value }) => `Actual size, now ${percent}`,
  zoomIn: 'Zoom in',
  fit: 'Fit',
  rotate: 'Rotate',
  mirror: 'Mirror',
  brightnessAndContrast: 'Brightness and contrast',
  brightness: 'Brightness',
  contrast: 'Contrast',
  loupe: 'Loupe',
  aboutThisFile: 'About this file',
  fullWidth: 'Full width',
  leaveFullWidth: 'Leave full width',
  moveTheImage: 'Move the image, or the loupe',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  firstPage: 'First page',
  lastPage: 'Last page',
  pageUpKey: 'Page Up',
  pageDownKey: 'Page Down',
  pageOfPages: ({ page, pages }: { page: Value; pages: Value }) => `Page ${page} of ${pages}`,
  placeOf: ({ at, of }: { at: Value; of: Value }) => `${at} of ${of}`,
  labelPlace: ({ label, at, of }: { label: Value; at: Value; of: Value }) => `${label}, ${at} of ${of}`,
  labelPlaceSameFile: ({ label, at, of }: { label: Value; at: Value; of: Value }) =>
    `${label}, ${at} of ${of}, same file as when it was verified`,
  labelPlaceOtherFile: ({ label, at, of }: { label: Value; at: Value; of: Value }) =>
    `${label}, ${at} of ${of}, not the file that was verified`,
  imageOfLabel: ({ label }: { label: Value }) => `Image of ${label}. The arrow keys move it.`,
  loadingTheDocument: 'Loading the document …',
  theLinkHasExpired: 'The link has expired',
  itWasValidUntil: ({ date }: { date: Value }) =>
    `It was valid until ${date}. The document cannot be shown. Ask for a new link.`,
  theLinkWasNotKept: 'The link was stored without its signature',
  theHistoryStoresThisLink: 'The document cannot be fetched again. Ask for a new link.',
  heicImagesCannotBeShown: 'HEIC images cannot be shown',
  theImageIsDamagedAnd: 'The image is damaged and cannot be shown',
  askItsSourceForAJpeg:
    'Ask its source for a JPEG, or open it with the application of the phone that took it and save one.',
  askItsSourceForThe: 'Ask its source for the document again, or for an image of it.',
  countedFindings: ({ findings }: { findings: number }) =>
    plural(findings, { one: '{n} finding', other: '{n} findings' }),
  sameFiles: ({ documents }: { documents: number }) =>
    plural(documents, {
      one: 'Same file as when it was verified',
      other: 'Same files as when they were verified'
    }),
  labelNotTheFile: ({ label }: { label: Value }) => `${label}: not the file that was verified`,

  changedSinceNoted: ({ time }: { time: Value }) =>
    `The file behind this link has changed since it was noted at ${time}.`,
  changedSinceVerified: ({ time }: { time: Value }) =>
    `The file behind this link has changed since the verification of ${time}.`,
  veridesksOwnReadingLabel: ({ label }: { label: Value }) => `Veridesk’s own reading: ${label}`,
  veridesksOwnReading: 'Veridesk’s own reading',
  copyOf: {
    later: ({ label }: { label: Value }) => `${label} (later copy)`,
    file: ({ label }: { label: Value }) => `${label} (added file)`
  },
  thisIsTheCopy: {
    before: ({ time }: { time: Value; distance: Value }) =>
      `This is the copy that was kept at ${time}, before the request was sent. The service may have seen another file.`,
    beside: ({ time, distance }: { time: Value; distance: Value }) =>
      `This is the copy that was kept for the batch at ${time}, ${distance} after the request. The service may have seen another file.`,
    later: ({ time, distance }: { time: Value; distance: Value }) =>
      `This is the copy that was kept at ${time}, ${distance} after the request. The service may have seen another file.`,
    file: ({ time, distance }: { time: Value; distance: Value }) =>
      `This is a file that was added at ${time}, ${distance} after the request. The service may have seen another file.`
  },
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
  tryAgain: 'Try again',
  shownSmaller: ({ width, height }: { width: Value; height: Value }) =>
    `Shown with ${width} × ${height} pixels, since the whole image would take too much memory.`,
  theFirstShownpagesOfIts: ({ shownPages, pages }: { shownPages: Value; pages: Value }) =>
    `The first ${shownPages} of its ${pages} pages can be shown.`,
  theDocumentWasFetchedAnd: 'The document was fetched and not stored. What Veridesk read in it is listed here.',
  drawingThePage: 'Drawing the page …',
  thePdfIsDamagedAnd: 'The document is damaged and cannot be shown',
  thePdfIsEncryptedAnd: 'The PDF is encrypted and needs a password',
  askItsSourceForA: 'Ask its source for a copy without a password.',
  thisPageNeedsMoreMemory: 'This page needs more memory than Veridesk allows',
  askItsSourceForAn: 'Ask its source for an image of the document. Other pages may be shown.',
  thisPageWasStoppedAfter: ({ pdfSeconds }: { pdfSeconds: Value }) =>
    `This page was stopped after ${pdfSeconds} seconds`,
  thePartOfVerideskThat: 'The part of Veridesk that shows PDF documents did not start',
  closeTheDocumentAndOpen: 'Close the document and show it again. If it happens again, reinstall Veridesk.'
})
