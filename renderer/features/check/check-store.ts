/**
 * Checks of applicants in progress and just ended: one on its own page, and one in each applicant's case, kept while the
 * user is on other pages.
 */
import { defineStore } from 'pinia'
import { computed, effectScope, reactive, ref, shallowRef, watch } from 'vue'
import type { LastInput, ReadingMeaning } from '#contract/applicants/applicants.ts'
import type { Failure, FieldFault } from '#contract/failures/failures.ts'
import type { RecordDetail, UnknownAgain } from '#contract/history/records.ts'
import type { CheckPart, PlannedPart } from '#contract/verification/check-run.ts'
import { operationIds, operationOf, type OperationId } from '#contract/verification/operations.ts'
import { nextStepOf } from '#contract/verification/next-steps.ts'
import { fieldsOfCheck, valuesOfInputs } from '#contract/verification/recipes.ts'
import type { Recipe } from '#contract/verification/saved-recipes.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { ask } from '../../bridge.ts'
import { formats } from '../../kit/formats.ts'
import { interpretationMarks } from '../../kit/marks.ts'
import { onRemoval } from '../../kit/removal.ts'
import { shownLine } from '../../kit/screen-share.ts'
import { localDay, localTime } from '../../kit/time.ts'
import { useApp } from '../shell/app-store.ts'
import { progressed } from './check-progress.ts'
import { useRecipes } from './recipes-store.ts'
import { words } from './words.ts'

/** Today it is the time alone. */
export const whenAnswered = (at: number): string =>
  localDay(at) === localDay(Date.now()) ? formats().clock(at) : localTime(at, 'short')

/** A part with what the window knows of its record. */
export interface ShownPart {
  readonly part: CheckPart
  readonly record?: RecordDetail
  readonly means?: ReadingMeaning | 'unreviewed' | undefined
}

/** What is asked for: recipe, operations and values, and what of it was answered already. */
function useCheckForm(app: ReturnType<typeof useApp>) {
  const values = reactive<Record<string, string>>({})
  const faults = reactive<Record<string, FieldFault | undefined>>({})
  const recipe = ref(app.settings.recipes[0]?.name ?? '')
  const ticked = ref<readonly OperationId[]>(app.settings.recipes[0]?.operations ?? [])
  const plan = shallowRef<readonly PlannedPart[]>([])
  const repeat = ref<readonly OperationId[]>([])

  const fields = computed(() => fieldsOfCheck(ticked.value))
  /** Ticked ones in sending order, then the others. */
  const operations = computed(() => [...ticked.value, ...operationIds.filter((id) => !ticked.value.includes(id))])

  function choose(chosen: Recipe): void {
    recipe.value = chosen.name
    ticked.value = chosen.operations
  }
  function tick(operation: OperationId, on: boolean): void {
    const order = useRecipes().offered.find(({ name }) => name === recipe.value)?.operations ?? []
    const all = new Set(on ? [...ticked.value, operation] : ticked.value.filter((id) => id !== operation))
    ticked.value = [...new Set([...order, ...operationIds])].filter((id) => all.has(id))
  }
  const earlierOf = (operation: OperationId) => plan.value.find((part) => part.operation === operation)?.earlier
  /** Whose earlier answer is used. */
  const used = computed(() =>
    ticked.value.filter((id) => earlierOf(id)?.kind === 'answered' && !repeat.value.includes(id))
  )
  const toSend = computed(() => ticked.value.length - used.value.length)

  function check(): boolean {
    for (const { key, field } of fields.value) {
      values[key] = (values[key] ?? '').trim()
      faults[key] = fieldFault(field.kind, values[key])
    }
    return fields.value.every(({ key }) => faults[key] === undefined)
  }
  const valuesNow = (): Record<string, string> =>
    Object.fromEntries(fields.value.map(({ key }) => [key, (values[key] ?? '').trim()]))

  let planned = 0
  /** Asks which of the operations were answered already; nothing is sent. */
  async function look(connectionId: string | undefined): Promise<void> {
    const asked = ++planned
    const isWhole = fields.value.some(
      ({ key, field }) => fieldFault(field.kind, (values[key] ?? '').trim()) === undefined
    )
    const answer =
      connectionId !== undefined && isWhole && ticked.value.length > 0
        ? await ask('check.plan', { connectionId, operations: [...ticked.value], values: valuesNow() })
        : undefined
    if (asked === planned) plan.value = answer?.ok ? answer.value : []
  }

  return {
    values,
    faults,
    recipe,
    ticked,
    plan,
    repeat,
    fields,
    operations,
    used,
    toSend,
    choose,
    tick,
    earlierOf,
    check,
    look,
    valuesNow
  }
}

/** What a part's record says, and what the organisation makes of it. `known`: what was read already. */
async function withRecord(part: CheckPart, known: ShownPart | undefined, visit: string): Promise<ShownPart> {
  if (known?.part.kind === part.kind && (known.record || part.kind === 'waiting' || part.kind === 'sending'))
    return known
  if (part.kind === 'unrecorded') return { part, record: part.record }
  if (part.kind !== 'recorded' && part.kind !== 'used') return { part }
  const id = part.kind === 'used' ? part.recordId : part.record.id
  const found = part.kind === 'used' ? await ask('history.record', { id, visit }) : undefined
  const record = part.kind === 'recorded' ? part.record : found?.ok ? found.value : undefined
  const message = await ask('catalogue.of', { recordId: id })
  const means = message.ok && message.value ? (message.value.reading?.means ?? 'unreviewed') : undefined
  return { part, ...(record && { record }), means }
}

/** The arrival of an answer for screen readers; empty for anything else. */
function arrival({ part, record, means }: ShownPart): string {
  if (part.kind !== 'recorded' || !record) return ''
  const operation = operationOf(part.operation).shortTitle
  const step = nextStepOf(record)
  const said =
    step && !step.beside
      ? step.title
      : [means && interpretationMarks[means].word, shownLine(record.message ?? '')].filter(Boolean).join(', ')
  return words.operationAnswered({ operation, said })
}

/** One check: what is asked for, sent and answered. */
function createCheck(app: ReturnType<typeof useApp>) {
  const form = useCheckForm(app)
  const { values, faults, ticked, plan, repeat, check, valuesNow } = form
  const running = ref<string>()
  const isCancelled = ref(false)
  const shown = shallowRef<readonly ShownPart[]>([])
  const failure = shallowRef<Failure>()
  /** Of the last run: when, and on which connection. */
  const last = shallowRef<{ readonly at: number; readonly connection: string; readonly applicant: string }>()
  /** What its place gives: the applicant of a case, and what was last sent about them. */
  let given: Readonly<Record<string, string>> = {}

  const visit = crypto.randomUUID()
  let turn = 0
  async function show(parts: readonly CheckPart[]): Promise<void> {
    const mine = ++turn
    const before = new Map(shown.value.map((each) => [each.part.operation, each]))
    const next = await Promise.all(parts.map((part) => withRecord(part, before.get(part.operation), visit)))
    // Newer parts were shown meanwhile.
    if (mine !== turn) return
    for (const each of next) {
      const said = before.get(each.part.operation)?.part.kind === each.part.kind ? '' : arrival(each)
      if (said !== '') app.announce(said)
    }
    shown.value = next
  }
  async function progress(checkId: string): Promise<void> {
    const answer = await ask('check.show', { checkId })
    if (answer.ok && checkId === running.value && answer.value.length > 0) await show(answer.value)
  }

  async function send(
    connection: { readonly id: string; readonly name: string },
    answers: {
      readonly confirmation?: string
      readonly unknownAgain?: readonly { operation: OperationId; answer: UnknownAgain }[]
    } = {}
  ): Promise<void> {
    if (running.value !== undefined || !check()) return
    const checkId = crypto.randomUUID()
    running.value = checkId
    isCancelled.value = false
    failure.value = undefined
    last.value = { at: Date.now(), connection: connection.name, applicant: (values['applicant'] ?? '').trim() }
    shown.value = ticked.value.map((operation) => ({ part: { operation, kind: 'waiting' } }))
    const { confirmation, unknownAgain } = answers
    const answer = await ask('check.run', {
      checkId,
      connectionId: connection.id,
      operations: [...ticked.value],
      values: valuesNow(),
      ...(values['applicant'] && { applicantId: values['applicant'].trim() }),
      ...(repeat.value.length > 0 && { repeat: [...repeat.value] }),
      ...(confirmation !== undefined && { confirmation }),
      ...(unknownAgain && { unknownAgain: [...unknownAgain] })
    })
    running.value = undefined
    repeat.value = []
    if (answer.ok) await show(answer.value)
    else {
      failure.value = answer.failure
      shown.value = []
    }
  }
  async function cancelRest(): Promise<void> {
    if (running.value === undefined || isCancelled.value) return
    isCancelled.value = true
    await ask('check.cancelRest', { checkId: running.value })
  }
  /** Puts the form back to what its place gives, without a result; not while requests are being sent. */
  function clear(): void {
    if (running.value !== undefined) return
    turn += 1
    for (const key of Object.keys(values)) delete values[key]
    for (const key of Object.keys(faults)) delete faults[key]
    Object.assign(values, given)
    shown.value = []
    plan.value = []
    last.value = undefined
    failure.value = undefined
    repeat.value = []
  }
  /** Fills the form for an applicant; what a person has entered in it stays. */
  function openFor(applicantId: string, inputs: readonly LastInput[]): void {
    const before = given
    given = { ...valuesOfInputs(inputs), applicant: applicantId }
    for (const [key, value] of Object.entries(given))
      if ((values[key] ?? '') === (before[key] ?? '')) values[key] = value
  }

  return { ...form, running, isCancelled, shown, failure, last, progress, send, cancelRest, clear, openFor }
}
/** A check as a component uses it: its refs are read and set as values. */
const newCheck = (app: ReturnType<typeof useApp>) => reactive(createCheck(app))
export type Check = ReturnType<typeof newCheck>

export const useChecks = defineStore('check', () => {
  const app = useApp()
  // A check outlives the page that opened it.
  const scope = effectScope(true)
  const open = new Map<string, Check>()
  watch(progressed, ({ checkId }) => {
    for (const each of open.values()) if (each.running === checkId) void each.progress(checkId)
  })
  onRemoval('check', () => open.clear())

  /** The check in an applicant's case, or the one on its own page. */
  function at(applicantId = ''): Check {
    const known = open.get(applicantId)
    if (known) return known
    const made = scope.run(() => newCheck(app))
    if (!made) throw new Error('the scope of checks has ended')
    open.set(applicantId, made)
    return made
  }
  /** Whether something of a check in an applicant's case is in progress or answered. */
  const isInUse = (applicantId: string): boolean => {
    const known = open.get(applicantId)
    return known !== undefined && (known.running !== undefined || known.failure !== undefined || known.shown.length > 0)
  }
  return { at, isInUse }
})
