/** What a check of an evidence pack found, in sentences. */
import type { EvidenceFinding } from './evidence.ts'
import { evidenceFindingTable } from './finding-sentences.ts'
import { fillDetails } from '../failures/filling.ts'

/** The sentence of what a check of an evidence pack found. */
export const evidenceFindingText = (finding: EvidenceFinding): string =>
  'detail' in finding ? finding.detail : fillDetails(evidenceFindingTable[finding.code], finding.details ?? {})
