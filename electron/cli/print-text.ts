/** Text that a terminal may be given. */

// A terminal obeys control characters in what it prints; a reply must not be able to use that.
// eslint-disable-next-line no-control-regex
export const harmless = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
export const oneLine = (text: string): string => harmless(text).replace(/\s+/g, ' ')

/** A value as JSON for programs, or lines for people. */
export const print = (json: unknown, value: unknown, lines: readonly string[]): string =>
  json === true ? JSON.stringify(value) : harmless(lines.join('\n'))
export const time = (at: number): string => new Date(at).toISOString()
export const count = (value: number, one: string, many: string): string => `${value.toLocaleString('en')} ${value === 1 ? one : many}`

/** The member of a list that a text names, or undefined. */
export const oneOf = <T extends string>(all: readonly T[], text: string): T | undefined => all.find((each) => each === text)
