/** Interprets messages at once: asks before many waiting applicants are concerned, and takes back. */
import { shallowRef } from 'vue'
import {
  maxReadings,
  type CatalogueMessage,
  type CatalogueRow,
  type ReadingDraft,
  type ReadingMeaning
} from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ask } from '../../bridge.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { interpretationMarks } from '../../kit/marks.ts'
import { useApp } from '../shell/app-store.ts'
import { meaningOf, messagesOf } from './catalogue-columns.ts'
import { words } from './words.ts'

/** So many waiting applicants are asked about before their messages are interpreted. */
export const askedFrom = 20

export interface Interpretation {
  /** Texts, as a person counts them. */
  readonly texts: number
  readonly messages: readonly CatalogueMessage[]
  readonly means: ReadingMeaning
  readonly waiting: number
}

const blocksOf = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / maxReadings) }, (_, block) =>
    list.slice(block * maxReadings, (block + 1) * maxReadings)
  )
/** The messages of rows, each once: a row and one of its own may both be selected. */
export const distinctMessages = (rows: readonly CatalogueRow[]): CatalogueMessage[] => [
  ...new Map(rows.flatMap(messagesOf).map((message) => [message.id, message])).values()
]

/** How many applicants wait whose newest answer is one of these messages; each has one newest answer. */
export async function waitingWith(messages: readonly CatalogueMessage[]): Promise<Result<number, Failure>> {
  let sum = 0
  for (const block of blocksOf(messages)) {
    const answer = await ask('catalogue.waiting', { ids: block.map(({ id }) => id) })
    if (!answer.ok) return answer
    sum += answer.value
  }
  return ok(sum)
}
export async function saveReadings(readings: readonly ReadingDraft[]): Promise<Result<CatalogueMessage[], Failure>> {
  const saved: CatalogueMessage[] = []
  for (const block of blocksOf(readings)) {
    const answer = await ask('catalogue.read', { readings: block })
    if (!answer.ok) return answer
    saved.push(...answer.value)
  }
  return ok(saved)
}

/** @param changed Called after interpretations were saved or taken back. */
export function useInterpreting(changed: () => unknown) {
  const app = useApp()
  /** What waits for a confirmation. */
  const asking = shallowRef<Interpretation & { readonly then: (() => unknown) | undefined }>()
  /** What can be taken back, the last first. */
  let taken: (readonly ReadingDraft[])[] = []
  let busy = false

  async function save({ texts, messages, means }: Interpretation, then?: () => unknown): Promise<void> {
    const answer = await saveReadings(messages.map(({ id }) => ({ id, means, note: '' })))
    if (!answer.ok) return app.showToast(whatToDo(answer.failure), { tone: 'warning' })
    taken = [
      messages.map((message) => ({ id: message.id, means: meaningOf(message), note: message.reading?.note ?? '' })),
      ...taken
    ]
    app.showToast(words.interpretedAs({ texts, means: interpretationMarks[means].word }), {
      undo: () => void takeBack()
    })
    await then?.()
    await changed()
  }
  async function takeBack(): Promise<void> {
    const [last, ...earlier] = taken
    if (!last) return
    const answer = await saveReadings(last)
    if (!answer.ok) return app.showToast(whatToDo(answer.failure), { tone: 'warning' })
    taken = earlier
    app.showToast(words.takenBack, earlier.length > 0 ? { undo: () => void takeBack() } : {})
    await changed()
  }
  return {
    asking,
    /** @param then Called once they are saved, before `changed`. */
    interpret: async (rows: readonly CatalogueRow[], means: ReadingMeaning, then?: () => unknown): Promise<void> => {
      if (busy) return
      const messages = distinctMessages(rows).filter((message) => meaningOf(message) !== means)
      const texts = new Set(rows.map(({ message }) => message)).size
      if (messages.length === 0) return void (await then?.())
      busy = true
      try {
        const waiting = await waitingWith(messages)
        if (!waiting.ok) return app.showToast(whatToDo(waiting.failure), { tone: 'warning' })
        const order = { texts, messages, means, waiting: waiting.value }
        if (waiting.value >= askedFrom) asking.value = { ...order, then }
        else await save(order, then)
      } finally {
        busy = false
      }
    },
    confirm: async (): Promise<void> => {
      const order = asking.value
      asking.value = undefined
      if (order) await save(order, order.then)
    },
    cancel: (): void => void (asking.value = undefined)
  }
}
