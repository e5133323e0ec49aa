/** The last places that were opened, for the palette. Nothing of them is stored. */
import { shallowRef, watch } from 'vue'
import type { RouteLocationRaw, Router } from 'vue-router'
import { administrationTabs, places } from '#contract/app/places.ts'
import { currentContext } from '../../kit/context-commands.ts'
import { onRemoval } from '../../kit/removal.ts'
import { words } from './words.ts'

export interface RecentPlace {
  readonly key: string
  readonly label: string
  /** Instead of the label in screen-share mode, for a place that is about somebody. */
  readonly hidden?: string
  readonly kind: string
  readonly to: RouteLocationRaw
  readonly at: number
}

const most = 10
const kept = shallowRef<readonly RecentPlace[]>([])
/** The newest first; the first is the one that is shown. */
export const recentPlaces = kept

const note = (place: RecentPlace): void =>
  void (kept.value = [place, ...kept.value.filter(({ key }) => key !== place.key)].slice(0, most + 1))

const pages: ReadonlySet<string> = new Set([...places, ...administrationTabs])
const kinds = {
  case: words.applicant,
  record: words.record,
  batch: words.batch
} as const

/** Notes each place for the lifetime of the window. */
export function noteRecentPlaces(router: Router): void {
  router.afterEach(({ name, meta, params }) => {
    const page = String(name)
    if (pages.has(page) && !params['id'] && meta.title)
      note({ key: page, label: meta.title, kind: words.page, to: { name: page }, at: Date.now() })
  })
  watch(currentContext, (context) => {
    if (!context?.place || context.kind === 'selection') return
    const { kind, title, hidden, place } = context
    note({ key: JSON.stringify(place), label: title, hidden, kind: kinds[kind], to: place, at: Date.now() })
  })
  onRemoval('recent places', () => (kept.value = []))
}
