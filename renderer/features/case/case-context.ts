/** What a case on screen offers: what its parts do, and what concerns it as a whole. The palette has it from here. */
import type { Ref } from 'vue'
import { useRouter } from 'vue-router'
import { linkTo } from '#contract/app/link-to.ts'
import type { ApplicantDetail } from '#contract/applicants/applicants.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { provideContext } from '../../kit/context-commands.ts'
import { personOf } from '../../kit/screen-share.ts'
import { useConnections } from '../connections/connections-store.ts'
import { useApp } from '../shell/app-store.ts'
import { whyForbidden } from '../shell/forbidden.ts'
import { usePrint } from '../shell/print-store.ts'
import { commandsOfCase, type CaseActions } from './case-commands.ts'
import { words } from './words.ts'

type OfParts = Omit<CaseActions, 'holdOrErase' | 'print' | 'copyId' | 'copyLink'>

/** @param applicant Undefined until it has arrived: before, nothing is offered. */
export function useCaseActions(
  about: { readonly id: string },
  applicant: Readonly<Ref<ApplicantDetail | undefined>>,
  ofParts: OfParts
): CaseActions {
  const app = useApp()
  const connections = useConnections()
  const print = usePrint()
  const router = useRouter()
  const actions: CaseActions = {
    ...ofParts,
    holdOrErase: () => void router.push({ name: 'data-management', query: { applicant: about.id } }),
    print: () => void print.print(router, { what: 'applicant', applicantId: about.id }),
    copyId: () => void app.copy(about.id, words.applicantId),
    copyLink: () => void app.copy(linkTo({ page: 'applicant', id: about.id }), words.link)
  }
  provideContext(() => {
    const shown = applicant.value
    return (
      shown && {
        kind: 'case',
        title: oneLine(shown.name ?? shown.id),
        hidden: personOf(shown.id),
        place: { name: 'applicant', params: { id: shown.id } },
        commands: commandsOfCase(actions, connections.current && oneLine(connections.current.name), whyForbidden)
      }
    )
  })
  return actions
}
