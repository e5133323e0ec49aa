/** The last places that were opened, for the palette. Nothing of them is stored. */
import { shallowRef, watch } from 'vue'
import type { RouteLocationRaw, Router } from 'vue-router'
import { administrationTabs, places, type PlaceName } from '#contract/app/places.ts'
import { currentContext } from '../../kit/context-commands.ts'
import { onRemoval } from '../../kit/removal.ts'
import { words } from './words.ts'

export interface RecentPlace {
  readonly key: string
  readonly label: string
  /** Instead of the label in screen-share mode, for a place that is about somebody. */
  readonly hidden?: string
  readonly kind: string
  /** The entry of the side bar that it belongs to. */
  readonly place: PlaceName
  readonly to: RouteLocationRaw
  readonly at: number
}

const most = 10
const kept = shallowRef<readonly RecentPlace[]>([])
/** The newest first; the first is the one that is shown. */
export const recentPlaces = kept

const note = (place: RecentPlace): void =>
  void (kept.value = [place, ...kept.value.filter(({ key }) => key !== place.key)].slice(0, most + 1))

const pages: ReadonlyMap<string, PlaceName> = new Map([
  ...places.map((name) => [name, name] as const),
  ...administrationTabs.map((name) => [name, 'administration'] as const)
])
const kinds = {
  case: { kind: words.applicant, place: 'applicants' },
  record: { kind: words.record, place: 'history' },
  batch: { kind: words.batch, place: 'batches' }
} as const

/** Notes each place for the lifetime of the window. */
export function noteRecentPlaces(router: Router): void {
  router.afterEach(({ name, meta, params }) => {
    const page = String(name)
    const place = pages.get(page)
    if (place && !params['id'] && meta.title)
      note({ key: page, label: meta.title, kind: words.page, place, to: { name: page }, at: Date.now() })
  })
  watch(currentContext, (context) => {
    if (!context?.place || context.kind === 'selection') return
    const { kind, title, hidden, place } = context
    note({ key: JSON.stringify(place), label: title, hidden, ...kinds[kind], to: place, at: Date.now() })
  })
  onRemoval('recent places', () => (kept.value = []))
}
