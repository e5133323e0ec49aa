/**
 * The diagnostic log for somebody else to read. The log itself accepts no personal data; this reads each line again by
 * what its fields may look like, since the file could have been written by another version or by hand.
 */
import type { SupportLine } from '#contract/app/support.ts'

/** Lines of the file at most. */
const maxLines = 2000

const name = /^[a-z][A-Za-z0-9.-]{0,60}$/
const forms: Readonly<Record<keyof SupportLine, RegExp | 'number'>> = {
  at: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  event: name,
  code: /^[A-Za-z][A-Za-z0-9_-]{0,60}$/,
  operation: name,
  outcome: name,
  state: name,
  version: /^\d+\.\d+\.\d+$/,
  status: 'number',
  tookMs: 'number',
  count: 'number'
}

function lineOf(text: string): SupportLine | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (parsed === null || typeof parsed !== 'object') return undefined
  const kept = Object.entries(parsed).filter(([field, value]) => {
    const form = Object.hasOwn(forms, field) ? forms[field as keyof SupportLine] : undefined
    return form === 'number'
      ? typeof value === 'number'
      : form !== undefined && typeof value === 'string' && form.test(value)
  })
  const line = Object.fromEntries(kept) as Partial<SupportLine>
  return line.at !== undefined && line.event !== undefined ? (line as SupportLine) : undefined
}

/** The newest lines of a log, oldest first; what is not a line of the log is left out. */
export const logLines = (text: string): SupportLine[] =>
  text
    .split('\n')
    .flatMap((each) => lineOf(each) ?? [])
    .slice(-maxLines)

/** How often each code is among the lines, the most frequent first. */
export function codesOf(lines: readonly SupportLine[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of lines) if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
}
