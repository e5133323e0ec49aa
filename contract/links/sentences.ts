/** The sentences of what stands out in a link or in the document behind it, by code. Warnings: none of them blocks. */
export const linkFindingTable = {
  'expired': 'The signed link has expired.',
  'expires-soon': 'The signed link expires soon.',
  'not-valid-yet': 'The signed link is not valid yet.',
  'times-damaged': 'The times in the signed link are missing or invalid.',
  'small': 'The image has {width} × {height} pixels: its longer side has fewer than {limit}.',
  'other-applicant': 'The same file was checked for another applicant.',
  'same-file': 'It is the same file as that of {name}.'
} as const
