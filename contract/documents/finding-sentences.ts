/** The sentences of what stands out in a document, by code. `count`, `width`, `height` and `limit` are numbers, all others texts. */

/** What is not there, or is there and not shown: whoever looks at the pages alone does not see it. */
export const missingFindingTable = {
  'cut-off':
    'The {type} file ends early, as after an upload that broke off: its lower part or its last pages can be missing. Ask for the document again.',
  'part-damaged':
    'A part of the {type} file is damaged: what follows it can be missing, grey or wrong. Ask for the document again.',
  'parts-missing':
    'Images or other parts of the pages that were shown cannot be decoded, so they are missing ({count}). Ask for the document again, or open it in another reader.',
  'portfolio':
    'It is a PDF portfolio: its page is a cover, and the documents are {count} files inside, which are not shown: {names}. Ask for each as a file of its own.',
  'files-inside':
    'It contains attached files that are not shown ({count}): {names}. Ask for each as a file of its own, or open the PDF in another reader.',
  'form-not-drawn':
    'It is a form of the XFA kind, which is not drawn: its pages can be empty, out of date, or say “Please wait”. Ask for a copy that was printed to PDF.',
  'notes-not-drawn':
    'It has notes or stamps that are not drawn ({count}): {texts}. Open the PDF in another reader to see where they are.',
  'layers-off':
    'It has layers that are switched off, so their content is not shown ({count}): {names}. Open the PDF in another reader to switch them on.',
  'more-pages':
    'It has {count} pages, and only the first {limit} are shown. Open the PDF in another reader to see the others.',
  'actions':
    'It contains scripts or actions, which are not run: {names}. In another reader they can change what it shows: ask for a copy that was printed to PDF.',
  'encrypted':
    'It is encrypted, so its notes, layers and attached files are not read here. Ask for a copy without a password or restrictions.',
  'partly-read':
    'It is too large or too intricate to be read as a whole: notes, layers or attached files can be missing from this list. Ask for a copy that was printed to PDF.',
  'bytes-before':
    'The PDF begins after {count} other bytes, as of a mail or an upload form, which are not shown. If it looks wrong, ask for the original file.'
} as const

export const documentFindingTable = {
  ...missingFindingTable,
  'edited': 'It was saved with {software}, an application that edits images.',
  'dates-disagree': 'It says that it was taken {taken} and changed {changed}.',
  'taken-in-future': 'It says that it was taken {taken}, which is in the future.',
  'newer-than-record':
    'It says that it is from {dated}, after the verification: it is not the image that the service received, or its date is wrong.',
  'small': 'It has {width} × {height} pixels: its longer side has fewer than {limit}.',
  'name-differs': 'The link ends in .{extension}, but the document is {type}.',
  'header-differs': 'The server called it {header}, but it is {type}.',
  'exif-damaged': 'What the image says about itself (EXIF) is damaged, and could be read in part only.'
} as const
