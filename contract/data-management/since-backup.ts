/** What a history contains since a backup was made, by what becomes of it when that backup is restored. */

/** What stays in the files that a restore sets aside: the words for one and for several. */
export const leftBehind = {
  verifications: ['verification', 'verifications'],
  resolutions: ['resolved outcome', 'resolved outcomes'],
  batches: ['batch that was made or changed', 'batches that were made or changed'],
  decisions: ['decision', 'decisions'],
  approvals: ['approval or request for one', 'approvals and requests for them'],
  relationships: ['change of a relationship', 'changes of relationships'],
  ratings: ['risk rating', 'risk ratings'],
  reviews: ['review or noted expiry', 'reviews and noted expiries'],
  challenges: ['challenge of a decision', 'challenges of decisions'],
  notes: ['note or other entry about an applicant', 'notes and other entries about applicants'],
  copies: ['copy of a document', 'copies of documents'],
  interpretations: ['interpretation', 'interpretations'],
  packs: ['evidence pack', 'evidence packs']
} as const satisfies Readonly<Record<string, readonly [one: string, several: string]>>
export type LeftBehind = keyof typeof leftBehind

export interface SinceBackup {
  /** Legal holds that were placed or lifted: they are carried over. */
  readonly holds: number
  /** Numbers of what stays behind; what there is none of is absent. */
  readonly left: Readonly<Partial<Record<LeftBehind, number>>>
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** It in sentences, before a restore and after it. @param counted A number with its word. */
export function sinceBackupText(
  since: SinceBackup | null | undefined,
  counted: (amount: number, one: string, several: string) => string
): string[] {
  if (!since)
    return [
      'What was recorded after the backup cannot be determined, legal holds included. Check the legal holds before anybody is erased.'
    ]
  const left = (Object.keys(leftBehind) as LeftBehind[]).flatMap((name) => {
    const [amount, [one, several]] = [since.left[name] ?? 0, leftBehind[name]]
    return amount === 0 ? [] : [counted(amount, one, several)]
  })
  return [
    left.length === 0
      ? 'No work was recorded after the backup.'
      : `Recorded after the backup, and only in the files that are set aside: ${list.format(left)}.`,
    ...(since.holds === 0 ? [] : ['Legal holds that were placed or lifted after the backup are carried over.'])
  ]
}
