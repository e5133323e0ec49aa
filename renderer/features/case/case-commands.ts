/** What can be done with a case: its keys, its menu, the palette and the help read this table. */
import {
  CalendarCheck,
  CalendarX,
  Copy,
  FileCheck2,
  FileSignature,
  FileUser,
  Gavel,
  Handshake,
  Link2,
  Mail,
  MessageSquareWarning,
  Printer,
  ScanSearch
} from '@lucide/vue'
import { decisions, type Decision } from '#contract/applicants/applicants.ts'
import { operations, type OperationId } from '#contract/verification/operations.ts'
import { commandKey } from '../../kit/keys.ts'
import type { ContextCommand } from '../../kit/context-commands.ts'
import { decisionLabels } from '../applicants/applicant-words.ts'
import { words } from './words.ts'

export interface CaseActions {
  /** Chooses a decision; it is not recorded yet. */
  decide(decision: Decision): void
  record(): void
  setDue(): void
  assign(): void
  tag(): void
  note(): void
  /** Opens the check, at an operation. */
  check(operation?: OperationId): void
  /** Interprets the newest message. */
  interpret(): void
  /** True if the key did something. Documents have more keys while the focus is in them. */
  documents(key: string): boolean
  makePack(): void
  /** What is handed to the applicant, to read before it is saved. */
  show(what: 'data' | 'letter'): void
  askForApproval(): void
  rate(): void
  review(what: 'review' | 'expiry' | 'challenge'): void
  relate(): void
  holdOrErase(): void
  print(): void
  copyId(): void
  copyLink(): void
  /** Escape; returns whether there was something to leave. */
  leave(): boolean
}

interface CaseCommand extends Omit<ContextCommand, 'keys' | 'run'> {
  /** Its single letter, which acts while the focus is in the case. */
  readonly letter?: string
  /** It is in the menu of the head. */
  readonly inMenu?: true
  /** What a policy may keep people from. */
  readonly needs?: 'copy' | 'print'
  readonly act: (actions: CaseActions) => void
}

export const caseCommands: readonly CaseCommand[] = [
  ...decisions.map((decision) => ({
    id: decision,
    label: decisionLabels[decision],
    mark: decision,
    letter: decision.charAt(0).toUpperCase(),
    effect: words.opensTheDecisionForm,
    act: ({ decide }: CaseActions) => decide(decision)
  })),
  {
    id: 'check',
    label: words.check,
    letter: 'V',
    icon: ScanSearch,
    words: words.search.verify,
    act: (to) => to.check()
  },
  { id: 'note', label: words.writeANote, letter: 'N', words: words.search.note, act: (to) => to.note() },
  { id: 'assign', label: words.assign, letter: 'S', words: words.search.assign, act: (to) => to.assign() },
  { id: 'due', label: words.dueDate, letter: 'U', words: words.search.due, act: (to) => to.setDue() },
  { id: 'tag', label: words.tags, letter: 'T', words: words.search.tag, act: (to) => to.tag() },
  {
    id: 'documents',
    label: words.showTheDocuments,
    letter: 'P',
    words: words.search.documents,
    act: (to) => void to.documents('p')
  },
  {
    id: 'interpret',
    label: words.interpretTheNewestMessage,
    letter: 'I',
    words: words.search.interpret,
    act: (to) => to.interpret()
  },
  {
    id: 'pack',
    label: words.evidencePack,
    icon: FileCheck2,
    inMenu: true,
    words: words.search.pack,
    act: (to) => to.makePack()
  },
  {
    id: 'approval',
    label: words.askForApproval,
    icon: FileSignature,
    inMenu: true,
    effect: words.fourEyesApproval,
    words: words.search.approval,
    act: (to) => to.askForApproval()
  },
  {
    id: 'data',
    label: words.dataOfTheApplicant,
    icon: FileUser,
    inMenu: true,
    words: words.search.data,
    act: (to) => to.show('data')
  },
  {
    id: 'letter',
    label: words.letterOfExplanation,
    icon: Mail,
    inMenu: true,
    words: words.search.letter,
    act: (to) => to.show('letter')
  },
  { id: 'risk', label: words.riskClass, letter: 'G', words: words.search.risk, act: (to) => to.rate() },
  {
    id: 'review',
    label: words.recordReview,
    icon: CalendarCheck,
    inMenu: true,
    words: words.search.review,
    act: (to) => to.review('review')
  },
  {
    id: 'challenge',
    label: words.recordChallenge,
    icon: MessageSquareWarning,
    inMenu: true,
    words: words.search.challenge,
    act: (to) => to.review('challenge')
  },
  {
    id: 'expiry',
    label: words.documentExpiry,
    icon: CalendarX,
    inMenu: true,
    words: words.search.expiry,
    act: (to) => to.review('expiry')
  },
  {
    id: 'relationship',
    label: words.relationship,
    icon: Handshake,
    inMenu: true,
    words: words.search.relationship,
    act: (to) => to.relate()
  },
  {
    id: 'hold',
    label: words.legalHoldOrErasure,
    icon: Gavel,
    inMenu: true,
    words: words.search.erase,
    act: (to) => to.holdOrErase()
  },
  {
    id: 'print',
    label: words.print,
    icon: Printer,
    inMenu: true,
    needs: 'print',
    words: words.search.print,
    act: (to) => to.print()
  },
  { id: 'copy-id', label: words.copyId, icon: Copy, inMenu: true, needs: 'copy', act: (to) => to.copyId() },
  {
    id: 'copy-link',
    label: words.copyLink,
    icon: Link2,
    inMenu: true,
    needs: 'copy',
    effect: words.opensThisCaseInVeridesk,
    words: words.search.link,
    act: (to) => to.copyLink()
  }
]

/**
 * The commands of a case that is shown.
 *
 * @param target The connection to which a request would go.
 * @param whyForbidden Why a policy keeps people from an act now, if one does.
 */
export const commandsOfCase = (
  actions: CaseActions,
  target: string | undefined,
  whyForbidden: (act: 'copy' | 'print') => string | undefined
): ContextCommand[] => [
  ...caseCommands.map(({ letter, act, needs, ...command }) => ({
    ...command,
    unavailable: needs && whyForbidden(needs),
    ...(letter !== undefined && { keys: [letter] }),
    run: () => act(actions)
  })),
  ...operations.map((operation, index) => ({
    id: operation.id,
    label: operation.title,
    keys: [commandKey, String(index + 1)],
    ...(target === undefined
      ? { unavailable: words.thereIsNoConnection }
      : { effect: words.sendsARequestTo({ target }) }),
    run: () => actions.check(operation.id)
  }))
]
