/** The list of applicants as it was last filtered, for the way back to it and from one case to the next. */
import { defineStore } from 'pinia'
import { computed, nextTick, ref, shallowRef } from 'vue'
import { useRouter, type LocationQuery, type RouteLocationRaw } from 'vue-router'
import type { ApplicantFilter } from '#contract/applicants/applicants.ts'
import { relationshipStates } from '#contract/applicants/relationships.ts'
import { reviewClasses } from '#contract/applicants/reviews.ts'
import { letterIn } from '../../kit/letter-keys.ts'
import { onRemoval } from '../../kit/removal.ts'

const texts = (value: LocationQuery[string] | undefined): readonly string[] =>
  [value].flat().flatMap((text) => text || [])

/** No recorded relationship, as an address says it. */
const unrecorded = 'none'

/** The list of applicants, narrowed by these alone. */
export const toApplicants = ({
  reviews = [],
  risks = [],
  relationships = [],
  expired
}: Pick<ApplicantFilter, 'reviews' | 'risks' | 'relationships' | 'expired'>): RouteLocationRaw => ({
  name: 'applicants',
  query: {
    review: [...reviews],
    risk: [...risks],
    relationship: relationships.map((state) => state || unrecorded),
    ...(expired && { expired: '1' })
  }
})

/** What an address narrows the list by: those of a batch who are decided, or the list behind a figure. */
export function applicantFilterOf(query: LocationQuery): ApplicantFilter {
  const { batch } = query
  if (typeof batch === 'string')
    return { batch, messages: texts(query['message']).map(Number), states: ['approve', 'decline'] }
  const asked = texts(query['review'])
  const reviews = reviewClasses.filter((each) => asked.includes(each))
  const risks = texts(query['risk'])
  const known = texts(query['relationship'])
  const relationships = (['', ...relationshipStates] as const).filter((state) => known.includes(state || unrecorded))
  return {
    ...(reviews.length > 0 && { reviews }),
    ...(relationships.length > 0 && { relationships }),
    ...(risks.length > 0 && { risks: [...risks] }),
    ...(query['expired'] === '1' && { expired: true })
  }
}

/** The rows that are loaded, how many there are in all, and what loads more. */
interface Walked {
  readonly ids: () => readonly string[]
  readonly total: () => number | undefined
  readonly append: () => Promise<void>
}

export const useApplicantWalk = defineStore('applicant-walk', () => {
  const search = ref('')
  const filter = shallowRef<ApplicantFilter>({})
  const walked = shallowRef<Walked>()

  /** The place of an applicant in that list; undefined if it is not there. */
  function placeOf(id: string): { readonly at: number; readonly of: number } | undefined {
    const ids = walked.value?.ids() ?? []
    const at = ids.indexOf(id)
    return at < 0 ? undefined : { at: at + 1, of: Math.max(ids.length, walked.value?.total() ?? 0) }
  }
  /** Who is before or after an applicant. */
  async function beside(id: string, step: 1 | -1): Promise<string | undefined> {
    const list = walked.value
    if (!list) return undefined
    const at = list.ids().indexOf(id)
    if (at < 0) return undefined
    if (at + step >= list.ids().length) await list.append()
    return list.ids()[at + step]
  }
  function clear(): void {
    search.value = ''
    filter.value = {}
    walked.value = undefined
  }
  onRemoval('applicant-walk', clear)
  return { search, filter, clear, begin: (list: Walked) => void (walked.value = list), placeOf, beside }
})

/** An open case in the list from which it was opened: its place there, and the way to the one before or after. */
export function useCaseWalk(
  props: { readonly id: string; readonly position?: { readonly at: number; readonly of: number } | undefined },
  /** In the queue. */
  emit: (step: 1 | -1) => void,
  focus: () => void
) {
  const list = useApplicantWalk()
  const router = useRouter()
  async function walk(step: 1 | -1): Promise<void> {
    if (props.position) return emit(step)
    const next = await list.beside(props.id, step)
    if (next === undefined) return
    await router.replace({ name: 'applicant', params: { id: next } })
    await nextTick()
    focus()
  }
  return { place: computed(() => props.position ?? list.placeOf(props.id)), walk }
}

/** J and K outside the queue, which has them itself. */
export function walkKeyPressed(
  event: KeyboardEvent,
  place: Element | null,
  isPage: boolean,
  walk: (step: 1 | -1) => Promise<void>
): boolean {
  const letter = isPage && !document.querySelector('dialog[open]') ? letterIn(event, place) : undefined
  if (letter !== 'j' && letter !== 'k') return false
  event.preventDefault()
  void walk(letter === 'j' ? 1 : -1)
  return true
}
