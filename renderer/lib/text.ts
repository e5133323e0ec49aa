/** Formats numbers and sizes. */

/** Formats bytes, with decimals only where useful. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(bytes < 10_485_760 ? 1 : 0)} MiB`
}

const grouped = new Intl.NumberFormat('en-GB')
/** Formats a count with separators. */
export const count = (value: number): string => grouped.format(value)

/** “1 record”, “2 records”. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
