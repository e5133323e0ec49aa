/** Pages that runs write: each section is replaced as a whole, the others stay. */

/** The page with this section (from its `## ` heading on) in the place of its earlier self, or at the end. */
export function withSection(page: string, section: string): string {
  const [heading = ''] = section.split('\n')
  const parts = page.split(/^(?=## )/m).map((part) => part.trimEnd())
  const at = parts.findIndex((part) => part.split('\n')[0] === heading)
  if (at < 0) parts.push(section.trimEnd())
  else parts[at] = section.trimEnd()
  return `${parts.join('\n\n')}\n`
}
