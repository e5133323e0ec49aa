/** The check of a file's links as text for people, and as JSON for programs. */
import { linkKindOf, linkKinds, type BatchLinkCheck, type BatchLinkRow } from '#contract/batches/links.ts'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { count, number } from './print-text.ts'

/** What a finished check has found. */
export interface FoundLinks {
  readonly check: BatchLinkCheck
  /** The first rows with findings. */
  readonly rows: readonly BatchLinkRow[]
}

/** The progress of a check, in one line. */
export const linksProgress = ({ done, links, found }: BatchLinkCheck): string =>
  `${number(done)} of ${count(links, 'link', 'links')} checked, ${count(found, 'row', 'rows')} with findings`

/** The findings by line, after the figures. */
export function linksText({ check, rows }: FoundLinks): string {
  const kinds = linkKinds.flatMap((kind) => (check.figures[kind] ? [`${kind} ${number(check.figures[kind])}`] : []))
  const lines = [`${linksProgress(check)}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`]
  for (const { row, faults } of rows)
    for (const { column, fault } of faults)
      lines.push(`  line ${number(row)}, “${oneLine(column)}”: ${oneLine(fieldFaultSentence(fault))}`)
  if (check.found > rows.length) lines.push(`  … and ${count(check.found - rows.length, 'more row', 'more rows')}`)
  return lines.join('\n')
}

/** The same for programs: findings as the validation of a file lists errors. */
export const linksJson = ({ check, rows }: FoundLinks) => {
  const { links, done, fine, found, figures } = check
  return {
    links,
    done,
    fine,
    found,
    figures,
    findings: rows.flatMap(({ row, faults }) =>
      faults.map(({ column, fault }) => ({ row, column, kind: linkKindOf(fault.code), fault }))
    ),
    moreRows: found - rows.length
  }
}
