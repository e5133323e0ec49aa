/** Applicants, records and batches that match what is typed into the palette. */
import { useTimeoutFn } from '@vueuse/core'
import { computed, onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue'
import type { Router } from 'vue-router'
import { oneLine } from '#contract/text/hidden-text.ts'
import { applicantFieldOf, operationOf } from '#contract/verification/operations.ts'
import type { RecordSummary } from '#contract/history/records.ts'
import { ask } from '../../bridge.ts'
import { stateWord } from '../../kit/marks.ts'
import { stateLabel } from '../batches/batch-words.ts'
import { isIndexed } from '#kit/text/folding.ts'
import type { Command } from './palette-commands.ts'
import { hiddenWord, personOf } from '../../kit/screen-share.ts'
import { localTime } from '../../kit/time.ts'
import { placeIcons } from '../shell/place-icons.ts'

/** Of each kind; the views list the others. */
const most = 5
/** Milliseconds without a key, after which the search begins. */
const pause = 180

/** What a record is about: its applicant, or the first link. */
function subjectOf({ operation, input, erased }: RecordSummary): string {
  const name = applicantFieldOf(operation) ?? operationOf(operation).fields[0]?.name ?? ''
  return erased ? 'erased' : oneLine(input[name] ?? '').replace(/^https?:\/\//i, '')
}

interface Hits {
  readonly commands: readonly Command[]
  readonly failed: boolean
}

async function search(text: string, visit: string, router: Router): Promise<Hits> {
  const [applicants, records, batches] = await Promise.all([
    ask('applicants.list', { search: text, limit: most, visit }),
    ask('history.page', { filter: { search: text }, limit: most, visit }),
    ask('batches.list', { search: text.slice(0, 200), limit: most })
  ])
  const commands: Command[] = [
    ...(applicants.ok ? applicants.value.applicants : []).map(({ id, name, ...which }) => ({
      id: `applicant ${id}`,
      label: name === undefined ? oneLine(id) : `${oneLine(id)} ${oneLine(name)}`,
      hidden: personOf(id),
      group: 'applicants' as const,
      icon: placeIcons.applicants,
      effect: stateWord(which),
      run: () => void router.push({ name: 'applicant', params: { id } })
    })),
    ...(records.ok ? records.value.records : []).map((record) => ({
      id: `record ${record.id}`,
      label: `${operationOf(record.operation).shortTitle}: ${subjectOf(record)}`,
      hidden: `${operationOf(record.operation).shortTitle}: ${hiddenWord}`,
      group: 'records' as const,
      icon: placeIcons.history,
      effect: localTime(record.startedAt, 'short'),
      run: () => void router.push({ name: 'history', params: { id: record.id } })
    })),
    ...(batches.ok ? batches.value : []).map((batch) => ({
      id: `batch ${batch.id}`,
      label: oneLine(batch.name),
      hidden: hiddenWord,
      group: 'batches' as const,
      icon: placeIcons.batches,
      effect: stateLabel(batch),
      run: () => void router.push({ name: 'batch', params: { id: batch.id } })
    }))
  ]
  return { commands, failed: !applicants.ok || !records.ok || !batches.ok }
}

/** Searches after a short pause in typing; the latest text wins. `ready`: whether the history can be asked. */
export function usePaletteSearch(text: () => string, ready: Readonly<Ref<boolean>>, router: Router) {
  const found = shallowRef<Hits>({ commands: [], failed: false })
  const searching = ref(false)
  const visit = crypto.randomUUID()
  const wanted = computed(() => (ready.value && isIndexed(text()) ? text().trim() : ''))
  async function look(): Promise<void> {
    const asked = wanted.value
    const hits = await search(asked, visit, router)
    if (asked !== wanted.value) return
    found.value = hits
    searching.value = false
  }
  const later = useTimeoutFn(() => void look(), pause, { immediate: false })
  // At once, too: a text may have been typed before this list was loaded.
  watch(
    wanted,
    (next) => {
      later.stop()
      searching.value = next !== ''
      if (next === '') found.value = { commands: [], failed: false }
      else later.start()
    },
    { immediate: true }
  )
  onBeforeUnmount(() => later.stop())
  return { found, searching }
}
