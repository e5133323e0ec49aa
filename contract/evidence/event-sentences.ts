/** An event as a sentence, made of its plain part, which contains no personal data. */
import { credentials } from '../connections/credentials.ts'
import type { DecidedSet } from '../applicants/applicants.ts'
import { checklistOf, type ChecklistNamed } from '../applicants/checklists.ts'
import type { AuditGroup } from './audit.ts'
import { hiddenFields } from '../lock/screen-share.ts'
import { linkKinds } from '../batches/links.ts'
import { documentTypeNames } from '../documents/documents.ts'
import { isOperationId, operationOf } from '../verification/operations.ts'
import type { ActionNote, ViewedPart } from './event-kinds.ts'
import { outcomeIds, outcomeOf, type Outcome } from '../verification/outcomes.ts'

type Plain = Readonly<Record<string, unknown>>

/** Resolves references in an event to names. */
export interface Names {
  connection(ref: unknown): string
}

interface KindDeclaration {
  readonly group: AuditGroup
  readonly words: (plain: Plain, names: Names) => string
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
const quoted = (value: unknown): string => `“${text(value)}”`
const operation = (id: unknown): string =>
  typeof id === 'string' && isOperationId(id) ? operationOf(id).title : text(id)
const operations = (ids: unknown): string => (ids as readonly unknown[]).map(operation).join(', ')
const outcome = (id: unknown): string =>
  typeof id === 'string' && (outcomeIds as readonly string[]).includes(id) ? outcomeOf(id as Outcome).label : text(id)
const count = (value: unknown, one: string, many: string): string => `${text(value)} ${value === 1 ? one : many}`
const shown = (value: unknown): string => (value === '' ? 'nothing' : quoted(value))
const header = (id: unknown): string =>
  credentials.find((each) => each.id === id || each.header === id)?.header ?? text(id)
const documentName = (type: unknown): string =>
  (documentTypeNames as Readonly<Record<string, string>>)[text(type)] ?? text(type)
const byKind = (figures: unknown): string => {
  const found = linkKinds.flatMap((kind) =>
    (figures as Readonly<Record<string, number>> | undefined)?.[kind]
      ? [`${kind} ${(figures as Readonly<Record<string, number>>)[kind]}`]
      : []
  )
  return found.length > 0 ? ` (${found.join(', ')})` : ''
}
const date = (at: unknown): string => (typeof at === 'number' ? new Date(at).toISOString().slice(0, 10) : text(at))

const ofSet = (set: DecidedSet | undefined): string =>
  set ? `, in a set of ${set.size} with a sample of ${set.share} %` : ''
const ofChecklist = (checklist: ChecklistNamed | undefined): string =>
  checklist ? `, checklist ${checklist.complete ? 'complete' : 'incomplete'}` : ''
const decided: Readonly<Record<string, string>> = { approve: 'Approved', decline: 'Declined', escalate: 'Escalated' }
const resolvedAs: Readonly<Record<string, string>> = {
  'processed': 'processed',
  'not-processed': 'not processed',
  'undetermined': 'cannot be determined'
}

const lockedBy: Readonly<Record<string, string>> = {
  'idle': 'Veridesk was locked: no input for some time.',
  'suspend': 'Veridesk was locked: the computer was suspended.',
  'screen': 'Veridesk was locked: the screen was locked.',
  'user-switch': 'Veridesk was locked: another user signed in.',
  'person': 'Veridesk was locked: on request.'
}
const unlockedBy: Readonly<Record<string, string>> = {
  session: 'Veridesk was unlocked by a key press.',
  passphrase: 'Veridesk was unlocked with the passphrase.',
  recovery: 'Veridesk was unlocked with the recovery key.',
  system: 'Veridesk was unlocked by the operating system.'
}
const meanings: Readonly<Record<string, string>> = { good: 'favourable', bad: 'unfavourable', unclear: 'unclear' }

const viewWords: Readonly<Record<ViewedPart, string>> = {
  record: 'Details of a record',
  applicant: 'Details of an applicant',
  case: 'Case',
  batch: 'Rows of a batch',
  history: 'History',
  applicants: 'List of applicants',
  queue: 'Queue',
  messages: 'Messages of an applicant',
  holds: 'Legal holds',
  retention: 'Preview of deletions',
  erasure: 'Preview of an erasure',
  audit: 'Audit trail',
  team: 'Activity of the team'
}
const views: Readonly<Record<string, string>> = viewWords
const batchTurn = (from: unknown, to: unknown): string =>
  to !== 'running' ? `Batch ${text(to)}.` : from === 'made' ? 'Batch started.' : 'Batch resumed.'
const packVerified = (intact: boolean, pack: unknown): string =>
  pack === undefined
    ? intact
      ? 'Evidence pack verified.'
      : 'Evidence pack refused.'
    : intact
      ? `Evidence pack ${short(pack)} verified.`
      : `Evidence pack ${short(pack)} refused.`
/** The beginning of a digest, as people compare it. */
const short = (digest: unknown): string => text(digest).slice(0, 16)

/** What an export or a print contains, where the code is not the word. */
const exported: Readonly<Record<string, string>> = {
  'applicant-data': 'data of the applicant',
  'explanation-letter': 'letter of explanation',
  'audit-trail': 'audit trail',
  'message-catalogue': 'message catalogue',
  'monthly-report': 'monthly report',
  'invalid-rows': 'invalid rows',
  'link-findings': 'rows with link findings',
  'fork-proof': 'proof of a fork'
}
const contents = (what: unknown): string => exported[text(what)] ?? text(what)

type ActionCode = ActionNote['action']
type Values<A extends ActionCode> = Omit<Extract<ActionNote, { readonly action: A }>, 'action'>

const day = (at: number): string => new Date(at).toISOString()

/** Actions on a file, a key or the team that `setting.changed` records: a code with its values. */
const actions: { readonly [A in ActionCode]: (values: Values<A>) => string } = {
  'history.left-closed': () => 'The history was left closed, and one of this session opened.',
  'history.set-aside': () => 'The history was set aside, and a new one begun.',
  'history.restored': ({ backup }) => `The history was restored from the backup ${backup}.`,
  'documents.deleted': ({ files, bytes }) =>
    `${count(files, 'file', 'files')} of documents that no history and no backup names deleted (${count(bytes, 'byte', 'bytes')}).`,
  'recovery-key.created': () => 'The recovery key was made anew.',
  'recovery-key.sealed': ({ key }) => `The recovery key was sealed for the organisation’s key ${key}.`,
  'recovery-key.confirmed': () => 'The recovery key was confirmed from a copy.',
  'recovery-key.refused': () => 'The recovery key was entered and did not fit.',
  'recovery-key.used': () => 'The recovery key was used to open the history.',
  'settings.set-aside': ({ kept }) => `The settings file was set aside as ${kept}, and begun anew.`,
  'connections.set-aside': ({ kept }) => `The connections file was set aside as ${kept}, and begun anew.`,
  'signing-key.revoked': ({ key, since, reason }) =>
    `The signing key ${key} was revoked since ${day(since)} (${reason}).`,
  'signing-key.replaced': ({ key, by }) => `The signing key ${key} was replaced by the key ${by}.`,
  'proxy-sign-in.set': ({ proxy }) => `The sign-in to the proxy ${proxy} was set.`,
  'proxy-sign-in.cleared': ({ proxy }) => `The sign-in to the proxy ${proxy} was cleared.`,
  'team.access-prepared': ({ installation }) => `Access to a team was prepared for the installation ${installation}.`,
  'team.created': ({ words }) => `A team was created: ${words}.`,
  'team.invitation-saved': () => 'An invitation to the team was saved.',
  'team.join-asked': ({ words }) => `A request to join the team “${words}” was saved.`,
  'team.admitted': ({ installation, role }) => `The installation ${installation} was admitted to the team as ${role}.`,
  'team.role-given': ({ installation, role }) =>
    `The installation ${installation} of the team was given the role ${role}.`,
  'team.admission-waits': ({ installation, role }) =>
    `The installation ${installation} is to be admitted to the team as ${role}: it waits for a second supervisor.`,
  'team.admission-confirmed': ({ installation, role }) =>
    `The installation ${installation} was admitted to the team as ${role}: confirmed here as the second supervisor.`,
  'team.role-waits': ({ installation, role }) =>
    `The installation ${installation} of the team is to get the role ${role}: it waits for a second supervisor.`,
  'team.role-confirmed': ({ installation, role }) =>
    `The installation ${installation} of the team was given the role ${role}: confirmed here as the second supervisor.`,
  'team.two-person-on': () => 'Two-person admission to the team was switched on.',
  'team.two-person-off-waits': () =>
    'Two-person admission to the team is to be switched off: it waits for a second supervisor.',
  'team.two-person-off': () =>
    'Two-person admission to the team was switched off: confirmed here as the second supervisor.',
  'team.entry-withdrawn': ({ entry }) => `A change of the team’s members that waited was withdrawn: ${entry}.`,
  'team.removed': ({ installation }) => `The installation ${installation} was removed from the team.`,
  'team.left': ({ installation }) => `The team was left by the installation ${installation}.`,
  'team.recovered': ({ words }) => `This installation became supervisor of the team “${words}” by its recovery key.`,
  'team.keys-renewed': ({ epoch }) => `The team was given new keys after an erasure: number ${epoch}.`,
  'team.sharing-chosen': ({ except }) =>
    `Records of ${except === 0 ? 'all connections' : `all connections except ${except}`} are shared with the team.`
}

/** What was done, from the plain part of an event. Undefined if it is no action, or one that this version does not know. */
function actionSentence(plain: Readonly<Record<string, unknown>>): string | undefined {
  const { action, ...values } = plain
  const known = typeof action === 'string' && Object.hasOwn(actions, action)
  return known ? actions[action as ActionCode](values as never) : undefined
}

/** Each kind of event with its group and sentence: the only list of kinds, for pages and filters. */
export const auditKinds: Readonly<Record<string, KindDeclaration>> = {
  'connection.noted': {
    group: 'connections',
    words: (_, names) => `Connection ${names.connection(_['ref'])} used for the first time.`
  },
  'record.begun': {
    group: 'verifications',
    words: (plain, names) => `${operation(plain['operation'])}: started on ${names.connection(plain['connection'])}.`
  },
  'record.ended': {
    group: 'verifications',
    words: ({ outcome: id, reply }) => {
      const status = (reply as { readonly status?: number } | null | undefined)?.status
      return `Verification ended: ${outcome(id)}${status === undefined ? '' : `, status ${status}`}.`
    }
  },
  'record.resolved': {
    group: 'verifications',
    words: ({ as }) => `Unknown outcome resolved as ${resolvedAs[text(as)] ?? text(as)}.`
  },
  'batch.made': {
    group: 'batches',
    words: (plain) => `Batch of ${count(plain['rows'], 'row', 'rows')} created for ${operations(plain['operations'])}.`
  },
  'batch.changed': {
    group: 'batches',
    words: ({ from, to, reason }) =>
      reason === undefined ? batchTurn(from, to) : `Batch ${text(to)} (${text(reason)}).`
  },
  'batch.resolved': {
    group: 'batches',
    words: ({ rows, as }) =>
      as === 'sent'
        ? `${count(rows, 'unknown row was', 'unknown rows were')} resolved: marked as sent.`
        : `${count(rows, 'unknown row was', 'unknown rows were')} resolved: to be sent again.`
  },
  'batch.taken': {
    group: 'batches',
    words: () => 'Shared batch taken, to be run here.'
  },
  'batch.shared': {
    group: 'batches',
    words: ({ row, rows }) =>
      row === undefined
        ? `Batch of ${count(rows, 'row', 'rows')} shared with the team.`
        : `Row ${text(row)} of a batch shared with the team.`
  },
  'checklist.noted': {
    group: 'decisions',
    words: ({ text: version }) => {
      const found = checklistOf(text(version))
      return found
        ? `Checklist of ${count(found.items.length, 'item', 'items')} for ${found.kind}s answered for the first time.`
        : 'Checklist answered for the first time.'
    }
  },
  'decision.made': {
    group: 'decisions',
    words: ({ decision, records, checklist, set, requires }) =>
      `${requires === 1 ? `Proposed: ${text(decision)}` : (decided[text(decision)] ?? text(decision))}, based on ${count((records as readonly unknown[]).length, 'record', 'records')}${ofChecklist(checklist as ChecklistNamed | undefined)}${ofSet(set as DecidedSet | undefined)}.`
  },
  'note.made': { group: 'applicants', words: () => 'Note added.' },
  'tags.changed': { group: 'applicants', words: () => 'Tags changed.' },
  'link.made': { group: 'applicants', words: () => 'Record linked to an applicant.' },
  'link.removed': { group: 'applicants', words: () => 'Link to an applicant removed.' },
  'due.changed': {
    group: 'decisions',
    words: ({ due }) => (due === null ? 'Due date removed.' : `Due date set to ${date(due)}.`)
  },
  'expiry.noted': { group: 'applicants', words: () => 'Expiry of a document noted.' },
  'review.recorded': {
    group: 'decisions',
    words: ({ outcome: found, next, checklist }) =>
      `Review recorded: ${text(found)}${ofChecklist(checklist as ChecklistNamed | undefined)}.${next === null ? '' : ` The next one is on ${text(next)}.`}`
  },
  'challenge.recorded': { group: 'decisions', words: () => 'Challenge of the decision recorded.' },
  'risk.rated': {
    group: 'applicants',
    words: ({ class: risk, months }) => `Rated ${quoted(risk)}: a review after ${count(months, 'month', 'months')}.`
  },
  'relationship.changed': {
    group: 'applicants',
    words: ({ state, on }) => `Relationship: ${text(state)}, ${text(on)}.`
  },
  'assignee.changed': {
    group: 'decisions',
    words: ({ assigned }) => (assigned === true ? 'Assigned to a person.' : 'Assignment removed.')
  },
  'message.noted': {
    group: 'catalogue',
    words: (plain) => `New message from ${operation(plain['operation'])} with status ${text(plain['status'])}.`
  },
  'message.interpreted': {
    group: 'catalogue',
    words: ({ message, version, means }) =>
      means === undefined
        ? `Interpretation of message ${text(message)} taken back (version ${text(version)}).`
        : `Message ${text(message)} interpreted as ${meanings[text(means)] ?? text(means)} (version ${text(version)}).`
  },
  'view.opened': {
    group: 'views',
    words: ({ what, search }) => {
      const view = views[text(what)] ?? `View (${text(what)})`
      return search === true ? `${view} searched.` : `${view} opened.`
    }
  },
  'document.viewed': {
    group: 'views',
    words: ({ field, type, bytes, source }) =>
      `${source === 'kept' ? 'Copy of the document' : 'Document'} of ${text(field)} opened (${documentName(type)}, ${count(bytes, 'byte', 'bytes')}).`
  },
  'document.compared': {
    group: 'verifications',
    words: ({ field, result }) => `Document of ${text(field)} compared with that of the record: ${text(result)}.`
  },
  'document.kept': {
    group: 'verifications',
    words: ({ field, when }) =>
      ({
        before: `Copy of the document of ${text(field)} kept before the request.`,
        beside: `Copy of the document of ${text(field)} kept for the batch, after the request.`,
        later: `Copy of the document of ${text(field)} kept after the request.`,
        file: `File added as a copy of the document of ${text(field)}.`
      })[text(when)] ?? `Copy of the document of ${text(field)} kept.`
  },
  'document.missed': {
    group: 'verifications',
    words: ({ field, reason }) => `No copy of the document of ${text(field)}: ${text(reason)}.`
  },
  'document.noted': {
    group: 'verifications',
    words: ({ field }) => `Digest of the document of ${text(field)} noted with the record.`
  },
  'links.checked': {
    group: 'verifications',
    words: ({ of, operations: ids, links, findings, figures }) =>
      `${count(links, 'link', 'links')} of a ${text(of)} for ${operations(ids)} checked, ${text(findings)} with findings${byKind(figures)}.`
  },
  'text.copied': {
    group: 'exports',
    words: ({ characters, whileHidden }) =>
      whileHidden === true
        ? `Text of ${count(characters, 'character', 'characters')} copied to the clipboard in screen-share mode.`
        : `Text of ${count(characters, 'character', 'characters')} copied to the clipboard.`
  },
  'screen-share.switched': {
    group: 'views',
    words: ({ on, by }) =>
      by === 'setting'
        ? on === true
          ? 'Screen-share mode switched on at the start, by the setting.'
          : 'Screen-share mode switched off at the start, by the setting.'
        : on === true
          ? 'Screen-share mode switched on.'
          : 'Screen-share mode switched off.'
  },
  'value.revealed': {
    group: 'views',
    words: ({ field }) =>
      `Hidden value shown: ${(hiddenFields as Readonly<Record<string, string>>)[text(field)] ?? text(field)}.`
  },
  'evidence.verified': {
    group: 'exports',
    words: ({ what, verified, pack }) =>
      what === 'pack'
        ? packVerified(verified === true, pack)
        : what === 'backup'
          ? verified === true
            ? 'Backup verified: intact.'
            : 'Backup verified: damaged.'
          : verified === true
            ? 'Audit trail verified: intact.'
            : 'Audit trail verified: broken.'
  },
  'export.made': {
    group: 'exports',
    words: ({ what, format, rows, by, pack }) =>
      format === 'print'
        ? `Print (${contents(what)}) with ${count(rows, 'entry', 'entries')}.`
        : format === 'time-stamp'
          ? `Time-stamp added to the evidence pack ${short(pack)}.`
          : by === 'schedule'
            ? `Export (${contents(what)}, ${text(format)}) with ${count(rows, 'entry', 'entries')} saved by schedule.`
            : `Export (${contents(what)}, ${text(format)}) with ${count(rows, 'entry', 'entries')} saved.`
  },
  'pack.made': {
    group: 'exports',
    words: ({ about, profile }) => `Evidence pack (${text(about)}, ${text(profile)}) created.`
  },
  'setting.changed': {
    group: 'settings',
    words: (plain) =>
      actionSentence(plain) ??
      (plain['action'] === undefined
        ? `Setting ${text(plain['name'])} changed from ${shown(plain['from'])} to ${shown(plain['to'])}.`
        : `Action ${text(plain['action'])}, which this version does not know.`)
  },
  'credential.changed': {
    group: 'connections',
    words: ({ connection, header: id, change }) =>
      `${header(id)} of the connection ${quoted(connection)} was ${text(change)}.`
  },
  'connection.changed': {
    group: 'connections',
    words: ({ connection, change, fields, credentialsCleared }) => {
      const names = fields ? Object.keys(fields as object) : []
      const what = names.length > 0 ? ` (${names.join(', ')})` : ''
      return `Connection ${quoted(connection)} was ${text(change)}${what}.${credentialsCleared ? ' Its credentials were cleared.' : ''}`
    }
  },
  'subject.erased': {
    group: 'erasure',
    words: ({ cause, records, documents }) => {
      const what = `${count(records, 'record', 'records')}${documents === undefined ? '' : `, ${count(documents, 'copy of a document', 'copies of documents')}`}`
      return cause === 'restore'
        ? `Personal data that was erased before removed again by a restore: ${what}.`
        : `Personal data erased by ${cause === 'retention' ? 'retention' : 'request'}: ${what}.`
    }
  },
  'copies.cleared': {
    group: 'erasure',
    words: ({ backupsRewritten, copiesNotReached, documentsNotDeleted: files }) => {
      const missed = Array.isArray(copiesNotReached) ? copiesNotReached.length : 0
      return [
        `Erased data removed from ${count(backupsRewritten, 'backup or copy', 'backups and copies')}.`,
        ...(missed === 0 ? [] : [`${count(missed, 'copy', 'copies')} could not be reached.`]),
        ...(files === undefined
          ? []
          : [
              `${count(files, 'file of a document', 'files of documents')} could not be deleted; nobody can open what is left.`
            ])
      ].join(' ')
    }
  },
  'hold.placed': {
    group: 'erasure',
    words: ({ since }) =>
      since === undefined ? 'Legal hold placed.' : `Legal hold of ${date(since)} carried over by a restore.`
  },
  'hold.lifted': {
    group: 'erasure',
    words: ({ since }) =>
      since === undefined
        ? 'Legal hold lifted.'
        : `Lifting of a legal hold of ${date(since)} carried over by a restore.`
  },
  'approval.asked': { group: 'decisions', words: () => 'Approval of a decision requested.' },
  'approval.answered': {
    group: 'decisions',
    words: ({ agrees, asked }) => {
      const [installation, event] = Array.isArray(asked) ? (asked as readonly unknown[]) : []
      return agrees === true
        ? `Request of a colleague for approval answered: countersigned (event ${text(event)} of ${short(installation)}).`
        : `Request of a colleague for approval answered: returned (event ${text(event)} of ${short(installation)}).`
    }
  },
  'approval.received': {
    group: 'decisions',
    words: ({ agrees, by, signer, void: isVoid }) =>
      `Answer of a colleague to a request for approval kept: ${agrees === true ? 'countersigned' : 'returned'} by ${quoted(by)} (key ${short(signer)}).${isVoid === true ? ' It counts for nothing: newer evidence was known.' : ''}`
  },
  'head.timestamped': {
    group: 'program',
    words: ({ authority, size, time }) =>
      `Audit trail of ${count(size, 'event', 'events')} dated ${new Date(Number(time)).toISOString()} by ${quoted(authority)}.`
  },
  'documents.verified': {
    group: 'program',
    words: ({ checked, missing, damaged }) =>
      `${count(checked, 'copy of a document', 'copies of documents')} verified: ${text(missing)} missing, ${text(damaged)} damaged.`
  },
  'team.anchored': {
    group: 'program',
    words: ({ heads }) =>
      `Events of ${count(Object.keys(heads ?? {}).length, 'installation', 'installations')} of the team confirmed.`
  },
  'team.withdrawn': {
    group: 'erasure',
    words: ({ subjects }) => {
      const deleted = Object.values(subjects ?? {}).flat().length
      return `Keys of ${count(deleted, 'subject', 'subjects')} deleted in the team’s database, after an erasure.`
    }
  },
  'team.acknowledged': {
    group: 'erasure',
    words: ({ erasures }) => {
      const installations = Object.keys(erasures ?? {}).length
      return `Erasures of ${count(installations, 'installation', 'installations')} of the team carried out here.`
    }
  },
  'finding.acknowledged': {
    group: 'program',
    words: ({ finding, installation, reason }) =>
      `Finding ${text(finding)} about the installation ${short(installation)} of the team acknowledged: ${quoted(reason)}.`
  },
  'recipe.shared': {
    group: 'settings',
    words: ({ name, operations }) =>
      Array.isArray(operations) && operations.length > 0
        ? `Recipe ${quoted(name)} shared with the team: ${operations.map(text).join(', ')}.`
        : `Recipe ${quoted(name)} no longer shared with the team.`
  },
  'policies.changed': {
    group: 'settings',
    words: ({ changes }) => {
      const each = Object.entries((changes as Readonly<Record<string, readonly [unknown, unknown]>> | undefined) ?? {})
      return `Policies of the organisation changed: ${each.map(([name, [from, to]]) => `${name} from ${shown(from)} to ${shown(to)}`).join('; ')}.`
    }
  },
  'policies.refused': {
    group: 'settings',
    words: ({ place, reason }) => `Policies of the organisation in ${text(place)} not applied (${text(reason)}).`
  },
  'forwarding.changed': {
    group: 'program',
    words: ({ target, state, waiting }) =>
      state === 'silent'
        ? `Log forwarding: the ${text(target)} takes nothing, ${count(waiting, 'event waits', 'events wait')}.`
        : `Log forwarding: the ${text(target)} takes events again.`
  },
  'console.locked': {
    group: 'program',
    words: ({ why }) => lockedBy[text(why)] ?? 'Veridesk was locked.'
  },
  'unlock.failed': { group: 'program', words: ({ tries }) => `Wrong passphrase (attempt ${text(tries)} in a row).` },
  'passphrase.changed': {
    group: 'settings',
    words: ({ change }) =>
      change === 'recovered' ? 'Passphrase replaced by means of the recovery key.' : `Passphrase ${text(change)}.`
  },
  'console.unlocked': {
    group: 'program',
    words: ({ by }) => unlockedBy[text(by)] ?? `Veridesk was unlocked (${text(by)}).`
  },
  'program.started': { group: 'program', words: ({ version }) => `Veridesk ${text(version)} started.` },
  'program.stopped': { group: 'program', words: ({ version }) => `Veridesk ${text(version)} was closed.` }
}

const undeclared: KindDeclaration = { group: 'program', words: () => 'This version does not know this type of event.' }

export const groupOf = (kind: string): AuditGroup => (auditKinds[kind] ?? undeclared).group
export const wordsOf = (kind: string, plain: Plain, names: Names): string =>
  (auditKinds[kind] ?? undeclared).words(plain, names)
/** The kinds of the given groups. */
export const kindsOf = (groups: readonly AuditGroup[]): string[] =>
  Object.entries(auditKinds).flatMap(([kind, { group }]) => (groups.includes(group) ? [kind] : []))
