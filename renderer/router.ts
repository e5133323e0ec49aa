/** The pages. The verification form loads at once, everything else when the window is idle. */
import {
  createRouter,
  createWebHashHistory,
  type RouteLocationNormalized,
  type RouteLocationRaw,
  type RouteRecordRaw,
  type Router
} from 'vue-router'
import { firstOperation, isOperationId, operationOf } from '#contract/verification/operations.ts'
import { hidingHistory } from './features/shell/hidden-addresses.ts'
import { startPage } from './features/shell/start-page.ts'
import { loadTeamSentences } from './kit/team-sentences.ts'
import StartView from './features/start/StartView.vue'
import VerifyView from './features/verify/VerifyView.vue'
import { words } from './features/shell/words.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** Name of the page, for the window's title and screen readers. */
    title?: string
    /** For a page that is not in the side bar: the side bar's page that it belongs to. */
    under?: string
  }
}

/**
 * The start page if it is loaded already. Another one follows from `StartView`: until the first navigation has ended, the
 * router ignores a change of the address, and loading a view would make that a long time.
 */
function loadedStart(to: RouteLocationNormalized): RouteLocationRaw | undefined {
  const page = startPage(to)
  return page?.name === 'verify' ? page : undefined
}

const routes: RouteRecordRaw[] = [
  { path: '/', name: 'start', component: StartView, beforeEnter: (to) => loadedStart(to) ?? true },
  {
    path: '/verify/:operation',
    name: 'verify',
    component: VerifyView,
    props: true,
    beforeEnter: (to) =>
      isOperationId(String(to.params['operation'])) || { name: 'verify', params: { operation: firstOperation } }
  },
  {
    path: '/welcome',
    name: 'welcome',
    component: () => import('./features/start/WelcomeView.vue'),
    meta: { title: words.gettingStarted }
  },
  {
    path: '/overview',
    name: 'overview',
    component: () => import('./features/overview/OverviewView.vue'),
    meta: { title: words.overview }
  },
  {
    path: '/history/:id?',
    name: 'history',
    component: () => import('./features/history/HistoryView.vue'),
    props: true,
    meta: { title: words.history }
  },
  {
    path: '/batches',
    name: 'batches',
    component: () => import('./features/batches/BatchListView.vue'),
    meta: { title: words.batches }
  },
  {
    path: '/batches/new',
    name: 'batch-new',
    component: () => import('./features/batches/BatchNewView.vue'),
    meta: { title: words.newBatch, under: 'batches' }
  },
  {
    path: '/batches/:id',
    name: 'batch',
    component: () => import('./features/batches/BatchView.vue'),
    props: true,
    meta: { title: words.batch, under: 'batches' }
  },
  {
    path: '/applicants',
    name: 'applicants',
    component: () => import('./features/applicants/ApplicantListView.vue'),
    meta: { title: words.applicants }
  },
  {
    path: '/applicants/:id',
    name: 'applicant',
    component: () => import('./features/case/CaseView.vue'),
    props: true,
    meta: { title: words.applicant, under: 'applicants' }
  },
  {
    path: '/queue',
    name: 'queue',
    component: () => import('./features/queue/QueueView.vue'),
    meta: { title: words.workQueue }
  },
  {
    path: '/catalogue',
    name: 'catalogue',
    component: () => import('./features/catalogue/CatalogueView.vue'),
    meta: { title: words.messageCatalogue }
  },
  {
    path: '/audit',
    name: 'audit',
    component: () => import('./features/audit/AuditView.vue'),
    meta: { title: words.auditTrail }
  },
  {
    path: '/data-management',
    name: 'data-management',
    component: () => import('./features/data-management/DataManagementView.vue'),
    meta: { title: words.dataManagement }
  },
  {
    path: '/evidence',
    name: 'evidence',
    component: () => import('./features/evidence/EvidenceView.vue'),
    meta: { title: words.evidence }
  },
  {
    path: '/connections',
    name: 'connections',
    component: () => import('./features/connections/ConnectionsView.vue'),
    meta: { title: words.connections }
  },
  {
    path: '/diagnosis',
    name: 'diagnosis',
    component: () => import('./features/diagnosis/DiagnosisView.vue'),
    meta: { title: words.networkDiagnosis, under: 'connections' }
  },
  {
    path: '/settings',
    name: 'settings',
    component: () => import('./features/settings/SettingsView.vue'),
    meta: { title: words.settings }
  },
  {
    path: '/team',
    name: 'team',
    component: () => import('./features/team/TeamView.vue'),
    meta: { title: words.team, under: 'settings' }
  },
  {
    path: '/about',
    name: 'about',
    component: () => import('./features/about/AboutView.vue'),
    meta: { title: words.helpAndDiagnostics }
  },
  { path: '/:rest(.*)*', redirect: '/' }
]

/** @param product The product's name in the window's title. */
export function makeRouter(product: () => string = () => 'Veridesk'): Router {
  const router = createRouter({
    history: hidingHistory(createWebHashHistory()),
    routes
  })
  router.afterEach((to) => {
    const operation = String(to.params['operation'] ?? '')
    const title = isOperationId(operation) ? operationOf(operation).title : to.meta.title
    document.title = title ? `${title} – ${product()}` : product()
  })
  return router
}

/** Loads the remaining sentences and views one after another while the window is idle, so that a first click does not wait. */
export async function loadViews(router: Router): Promise<void> {
  await new Promise((resolve) => requestIdleCallback(resolve))
  await loadTeamSentences()
  for (const { components } of router.getRoutes()) {
    const view: unknown = components?.['default']
    // For a loaded view the router replaces the loader by the component.
    if (typeof view !== 'function') continue
    await new Promise((resolve) => requestIdleCallback(resolve))
    await (view as () => Promise<unknown>)()
  }
}
