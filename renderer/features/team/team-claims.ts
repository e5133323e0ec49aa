/** Who has which entry of the queue, in a team. Nothing without one. */
import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import { oneLine } from '#contract/text/hidden-text.ts'
import type { StandingDecision } from '#contract/team/activity.ts'
import type { QueueItem } from '#contract/applicants/queue.ts'
import { maxClaimQuestions, type Claim, type EntryClaim, type TeamClaims } from '#contract/team/queue.ts'
import { ask } from '../../bridge.ts'
import { useTeam } from './team-store.ts'
import { colleagueWord } from '../applicants/applicant-words.ts'
import { keyOfItem } from '../queue/queue-address.ts'
import { words } from './words.ts'

export interface ItemClaims {
  /** Undefined without a team. */
  readonly team: Ref<NonNullable<TeamClaims> | undefined>
  of(item: QueueItem): EntryClaim | undefined
  /** Asks again: something was claimed here. */
  refresh(): Promise<void>
}

/** @param shown The items whose claims are shown. */
export function useItemClaims(shown: () => readonly QueueItem[]): ItemClaims {
  const team = useTeam()
  const found = shallowRef<NonNullable<TeamClaims>>()
  const asked = ref('')
  let question = 0
  const wanted = computed(() => JSON.stringify(shown().slice(0, maxClaimQuestions).map(keyOfItem)))
  async function refresh(): Promise<void> {
    const mine = ++question
    const keys = JSON.parse(wanted.value) as string[]
    const of = (start: string): string[] => keys.flatMap((key) => (key.startsWith(start) ? [key.slice(2)] : []))
    const answer = await ask('team.claims', { applicantIds: of('a:'), recordIds: of('r:') })
    if (mine !== question) return
    asked.value = wanted.value
    found.value = answer.ok ? (answer.value ?? undefined) : undefined
  }
  watch(
    () => team.version,
    () => void refresh(),
    { immediate: true }
  )
  // Without a team there is nothing to ask again.
  watch(wanted, () => {
    if (found.value) void refresh()
  })
  return {
    team: found,
    of: (item) =>
      item.kind === 'unresolved' ? found.value?.records[item.record.id] : found.value?.applicants[item.applicant.id],
    refresh
  }
}

/** Whose it is: the member, and the person at that installation if it names another one. */
export const holderOf = ({ member, person }: Claim): string => (person === undefined ? member : `${member} (${person})`)
/** For a cell: who has it; the local assignee where the team knows of no claim. */
export function assigneeWords(item: QueueItem, known: EntryClaim | undefined): string {
  if (known?.claim) return `${holderOf(known.claim)}${known.claim.tentative ? ', tentative' : ''}`
  return known?.released ? '' : (item.assignee ?? '')
}
/** What a colleague decided and who it was, in a line; empty without a decision. */
export const decisionWords = (known: EntryClaim | undefined): string =>
  known?.decision
    ? words.decidedlabelsByMember({
        decidedLabels: colleagueWord(known.decision),
        member: oneLine(known.decision.member ?? '')
      })
    : ''

/** The decisions of colleagues, as a decision that knows them names them. */
export const colleaguesIn = (standing: readonly StandingDecision[]): [installation: string, seq: number][] =>
  standing.flatMap(({ installation, seq }) => (installation === undefined ? [] : [[installation, seq]]))
