/**
 * A four-eyes case as the reviewer reads it: one entry for each verification, decision and note, in words of the
 * contract, oldest first. Each entry keeps what was recorded, so that nothing that is signed is hidden.
 */
import { decisions, readingMeanings, type Decision } from '#contract/applicants/applicants.ts'
import { answeredOf, type ChecklistNamed, type Checks } from '#contract/applicants/checklists.ts'
import { focusClasses } from '#contract/applicants/seen.ts'
import { relationshipStates } from '#contract/applicants/relationships.ts'
import type { CaseDocument } from '#contract/evidence/evidence.ts'
import { applicantFieldOf, isOperationId, operationOf, type OperationId } from '#contract/verification/operations.ts'
import { outcomeIds, type Outcome } from '#contract/verification/outcomes.ts'
import { resolutions } from '#contract/history/records.ts'
import type { Settings } from '#contract/settings/settings.ts'
import {
  checkAnswerLabel,
  colleagueWord,
  dueDate,
  reasonLabel,
  relationshipText,
  seenWords,
  timeShownLabels
} from '../applicants/applicant-words.ts'
import { interpretationMarks } from '../../kit/marks.ts'
import { resolutionLabels } from '#contract/verification/resolution-sentences.ts'
import { words } from './words.ts'

export interface CaseFact {
  readonly label: string
  /** Null if it is withheld. */
  readonly value: string | null
  /** As it was sent or written by the service, for a font with distinct letters. */
  readonly exact?: true
}
export interface CaseEntry {
  readonly kind: 'check' | 'decision' | 'other'
  /** The event of the audit trail that it begins with. */
  readonly seq: number
  readonly at: number
  readonly title: string
  /** Who did it; null if withheld, undefined if no person did. */
  readonly by?: string | null
  readonly operation?: OperationId
  readonly outcome?: Outcome
  readonly status?: number
  readonly facts: readonly CaseFact[]
  /** The service's message, verbatim. */
  readonly message?: string
  /** A note or a decision's reason in a person's words. */
  readonly note?: string
  /** Number of values that are withheld or erased. */
  readonly withheld: number
  readonly documents: readonly CaseDocument[]
}

type Labels = Pick<Settings, 'decisionReasons' | 'removedReasons'>
type Values = ReadonlyMap<string, string | null>

const valuesOf = (documents: readonly CaseDocument[]): Values =>
  new Map(documents.flatMap(({ fields }) => fields.map(({ label, value }) => [label, value] as const)))
/** Values other than text are recorded as JSON. */
function parsed(value: string | null | undefined): unknown {
  try {
    return value === null || value === undefined ? undefined : (JSON.parse(value) as unknown)
  } catch {
    return undefined
  }
}
const listOf = (value: string | null | undefined): readonly unknown[] => {
  const found = parsed(value)
  return Array.isArray(found) ? found : []
}
const isOneOf = <T extends string>(all: readonly T[], value: unknown): value is T =>
  (all as readonly unknown[]).includes(value)
const written = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : value
const fact = (label: string, value: string | null | undefined, exact = false): CaseFact[] =>
  value === undefined ? [] : [{ label, value, ...(exact && { exact: true as const }) }]

/** How many values the documents do not show. Redacted packs give their number instead of their names. */
const withheldIn = (documents: readonly CaseDocument[]): number =>
  documents
    .flatMap(({ fields, response }) => [...fields, ...response])
    .reduce((sum, { label, value }) => sum + (value === null ? Number(/^(\d+) values?$/.exec(label)?.[1] ?? 1) : 0), 0)

interface Connection {
  readonly name: string
  readonly mode: string
  readonly origin: string
}
/** The connection that an event notes, as it was. */
function connectionOf(values: Values): Connection | undefined {
  const { name, mode, origin } = (parsed(values.get('snapshot')) ?? {}) as Readonly<Record<string, unknown>>
  return typeof name === 'string' && typeof mode === 'string' && typeof origin === 'string'
    ? { name, mode, origin }
    : undefined
}
const nameOf = ({ name, mode }: Connection): string => `${name} (${mode === 'live' ? 'LIVE' : mode})`
/** By the number that verifications refer to. */
const connectionsIn = (documents: readonly CaseDocument[]): ReadonlyMap<string, Connection> =>
  new Map(
    documents
      .filter(({ kind }) => kind === 'connection.noted')
      .flatMap((document) => {
        const values = valuesOf([document])
        const [ref, connection] = [values.get('ref'), connectionOf(values)]
        return typeof ref === 'string' && connection ? [[ref, connection] as const] : []
      })
  )

/** The texts of checklists by the number that decisions and reviews refer to. */
const checklistsIn = (documents: readonly CaseDocument[]): ReadonlyMap<string, string> =>
  new Map(
    documents
      .filter(({ kind }) => kind === 'checklist.noted')
      .flatMap((document) => {
        const values = valuesOf([document])
        const [ref, text] = [values.get('ref'), values.get('text')]
        return typeof ref === 'string' && typeof text === 'string' ? [[ref, text] as const] : []
      })
  )

/** What was answered of a checklist: each item, or without the answers whether all are. */
function checklistFacts(
  values: Values,
  of: Decision | 'review',
  checklists: ReadonlyMap<string, string>
): readonly CaseFact[] {
  const named = parsed(values.get('checklist')) as ChecklistNamed | undefined
  if (named === undefined) return []
  const { ref, complete } = named
  const checks = parsed(values.get('checks')) as Checks | undefined
  const version = checklists.get(String(ref))
  const answered = checks && version !== undefined ? answeredOf(version, of, { complete, checks }) : undefined
  return answered
    ? answered.items.flatMap(({ label, answer }) => fact(label, checkAnswerLabel(answer)))
    : fact(words.checklist, complete ? words.allItemsAreAnswered : words.notAllItemsAreAnswered)
}

function checkOf(
  documents: readonly CaseDocument[],
  connections: ReadonlyMap<string, Connection>
): Omit<CaseEntry, 'seq' | 'at' | 'withheld' | 'documents'> {
  const of = (kind: string): readonly CaseDocument[] => documents.filter((each) => each.kind === kind)
  const [begun, ended, resolved] = [
    valuesOf(of('record.begun')),
    valuesOf(of('record.ended')),
    valuesOf(of('record.resolved'))
  ]
  const response = new Map(
    of('record.ended').flatMap(({ response: fields }) => fields.map(({ label, value }) => [label, value] as const))
  )
  const id = begun.get('operation')
  const operation = typeof id === 'string' && isOperationId(id) ? id : undefined
  const outcome = ended.get('outcome')
  const reply = parsed(ended.get('reply')) as { readonly status?: unknown } | null | undefined
  const as = resolved.get('as')
  const connection = connections.get(begun.get('connection') ?? '')
  const message = written(response.get('message') ?? ended.get('message'))
  return {
    kind: 'check',
    title: operation ? operationOf(operation).title : words.verification,
    ...(begun.has('operator') && { by: begun.get('operator') ?? null }),
    ...(operation && { operation }),
    ...(isOneOf(outcomeIds, outcome) && { outcome }),
    ...(typeof reply?.status === 'number' && { status: reply.status }),
    facts: [
      ...(operation
        ? operationOf(operation).fields.flatMap(({ name, label }) => fact(label, begun.get(`input.${name}`), true))
        : []),
      ...(connection ? fact(words.connection, nameOf(connection)) : []),
      ...(operation && applicantFieldOf(operation) === undefined
        ? fact(words.applicantInVerideskOnly, begun.get('applicantId'), true)
        : []),
      ...(isOneOf(resolutions, as) ? fact(words.resolutionOfTheUnknownOutcome, resolutionLabels[as]) : []),
      ...(resolved.size > 0
        ? [
            ...fact(words.resolvedBy, resolved.get('operator')),
            ...fact(words.noteOnTheResolution, written(resolved.get('note')))
          ]
        : [])
    ],
    ...(message !== undefined && { message })
  }
}

/** What was on screen before a decision, of how many. */
function seenFacts(values: Values): CaseFact[] {
  const pairOf = (value: unknown): readonly [number, number] | undefined => {
    const [some, all] = Array.isArray(value) ? (value as readonly unknown[]) : []
    return typeof some === 'number' && typeof all === 'number' ? [some, all] : undefined
  }
  const found = parsed(values.get('seen')) as
    | { readonly answers?: unknown; readonly documents?: unknown }
    | null
    | undefined
  const [answers, documents] = [pairOf(found?.answers), pairOf(found?.documents)]
  if (!answers || !documents) return []
  return fact(words.shownBefore, seenWords({ answers, documents }))
}

function decisionOf(
  values: Values,
  labels: Labels,
  checklists: ReadonlyMap<string, string>
): Pick<CaseEntry, 'kind' | 'title' | 'facts' | 'note'> {
  const [decision, focus] = [values.get('decision'), values.get('focus')]
  const reasons = listOf(values.get('reasons')).filter((code) => typeof code === 'string')
  const readings = listOf(values.get('readings')).flatMap((each) => {
    const { means } = (each ?? {}) as { readonly means?: unknown }
    return isOneOf(readingMeanings, means) ? [interpretationMarks[means].word] : []
  })
  const due = parsed(values.get('due'))
  const note = written(values.get('note'))
  const isProposed = parsed(values.get('requires')) === 1
  return {
    kind: 'decision',
    title: isOneOf(decisions, decision)
      ? words.decisionDecidedlabels({
          decidedLabels: colleagueWord({ decision, ...(isProposed && { proposed: true as const }) })
        })
      : words.decision,
    facts: [
      ...fact(words.basedOn, words.records({ records: listOf(values.get('records')).length })),
      ...(readings.length > 0 ? fact(words.interpretations, readings.join(', ')) : []),
      ...(reasons.length > 0 ? fact(words.reasons, reasons.map((code) => reasonLabel(code, labels)).join('; ')) : []),
      ...(isOneOf(decisions, decision) ? checklistFacts(values, decision, checklists) : []),
      ...seenFacts(values),
      ...(isOneOf(focusClasses, focus) ? fact(words.timeShown, timeShownLabels[focus]) : []),
      ...(typeof due === 'number' ? fact(words.dueDate, dueDate(due)) : [])
    ],
    ...(note !== undefined && { note })
  }
}

const plainTitles: Readonly<Record<string, string>> = {
  'connection.noted': words.connectionUsedForTheFirst,
  'checklist.noted': words.checklistAnsweredForTheFirst,
  'subject.erased': words.personalDataErased,
  'note.made': words.note,
  'link.made': words.recordLinkedInVerideskOnly,
  'link.removed': words.linkRemoved,
  'pack.made': words.evidencePackCreated,
  'expiry.noted': words.expiryNoted,
  'review.recorded': words.reviewRecorded,
  'challenge.recorded': words.challengeOfTheDecision,
  'batch.made': words.batchCreated,
  'batch.changed': words.batchChanged,
  'batch.resolved': words.unknownRowsResolved
}
const batchStates: Readonly<Record<string, string>> = {
  running: words.batchStarted,
  paused: words.batchPaused,
  finished: words.batchFinished,
  cancelled: words.batchCancelled,
  stopped: words.batchStopped
}

function relationshipOf(values: Values): string {
  const [state, on] = [values.get('state'), values.get('on')]
  return isOneOf(relationshipStates, state) && typeof on === 'string'
    ? words.relationshipIs({ relationship: relationshipText({ state, on }) })
    : words.relationshipChanged
}

function riskOf(values: Values): string {
  const risk = values.get('class')
  return typeof risk === 'string' ? words.riskIs({ risk }) : words.riskRated
}

function otherOf(
  { kind }: CaseDocument,
  values: Values,
  checklists: ReadonlyMap<string, string>
): Pick<CaseEntry, 'kind' | 'title' | 'facts' | 'note'> {
  const tags = listOf(values.get('tags')).filter((tag) => typeof tag === 'string')
  const due = parsed(values.get('due'))
  const note = written(
    kind === 'checklist.noted'
      ? undefined
      : values.get(['relationship.changed', 'risk.rated', 'review.recorded'].includes(kind) ? 'note' : 'text')
  )
  const to = values.get('to')
  const title =
    kind === 'tags.changed'
      ? tags.length > 0
        ? words.tags
        : words.tagsChanged
      : kind === 'due.changed'
        ? typeof due === 'number'
          ? words.dueOn({ date: dueDate(due) })
          : words.dueDateRemoved
        : kind === 'relationship.changed'
          ? relationshipOf(values)
          : kind === 'risk.rated'
            ? riskOf(values)
            : kind === 'batch.changed' && typeof to === 'string'
              ? (batchStates[to] ?? words.batchChanged)
              : (plainTitles[kind] ?? words.otherEvent)
  const connection = kind === 'connection.noted' ? connectionOf(values) : undefined
  const rows = kind.startsWith('batch.') ? values.get('rows') : undefined
  return {
    kind: 'other',
    title,
    facts: [
      ...(tags.length > 0 ? fact(words.tags, tags.join(', ')) : []),
      ...(connection
        ? [...fact(words.connection, nameOf(connection)), ...fact(words.address, connection.origin, true)]
        : []),
      ...(kind === 'review.recorded' ? checklistFacts(values, 'review', checklists) : []),
      ...fact(words.rows, typeof rows === 'string' ? rows : undefined)
    ],
    ...(note !== undefined && { note })
  }
}

/** The entries of a case, oldest first. @param labels The organisation's reasons, for their codes. */
export function caseTimeline(documents: readonly CaseDocument[], labels: Labels): CaseEntry[] {
  const groups = new Map<string, CaseDocument[]>()
  for (const document of documents) {
    const isCheck = document.record !== null && document.kind.startsWith('record.')
    const key = isCheck ? `record ${document.record}` : `event ${document.seq}`
    groups.set(key, [...(groups.get(key) ?? []), document])
  }
  const [connections, checklists] = [connectionsIn(documents), checklistsIn(documents)]
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const values = valuesOf(group)
    const said = first.kind.startsWith('record.')
      ? checkOf(group, connections)
      : first.kind === 'decision.made'
        ? decisionOf(values, labels, checklists)
        : otherOf(first, values, checklists)
    const by = said.kind === 'check' || !values.has('operator') ? {} : { by: values.get('operator') ?? null }
    return [{ seq: first.seq, at: first.at, withheld: withheldIn(group), documents: group, ...by, ...said }]
  })
}
