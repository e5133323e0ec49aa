/** The sentences of what stands out in a document, by code. `width`, `height` and `limit` are numbers, all others texts. */
export const documentFindingTable = {
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
