/** Limits of what is read, far above real workbooks. What exceeds one is refused before it takes memory or time. */
const mebibyte = 1024 * 1024
export const limits = {
  parts: 2000,
  /** Bytes of a sheet's XML. */
  sheet: 1024 * mebibyte,
  /** Bytes of the XML of shared strings, and of the texts in it. */
  texts: 64 * mebibyte,
  /** Bytes of any other part. */
  part: 64 * mebibyte,
  /** How many times larger a part may become that unpacks to more than `ratioFrom` bytes. */
  ratio: 200,
  ratioFrom: 10 * mebibyte,
  /** Characters of a cell. */
  cell: 128 * 1024,
  /** Characters between two events of the XML: a cell's text with every character written as an entity. */
  token: mebibyte,
  depth: 256,
  /** Of the standard: columns A to XFD, and rows. */
  columns: 16_384,
  rows: 1_048_576
} as const
