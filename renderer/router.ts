/** The pages. The verification form loads at once, everything else when the window is idle. */
import {
  createRouter,
  createWebHashHistory,
  type RouteLocationNormalized,
  type RouteLocationRaw,
  type Router
} from 'vue-router'
import { firstOperation, isOperationId, operationOf } from '#contract/verification/operations.ts'
import { hidingHistory } from './features/shell/hidden-addresses.ts'
import { startPage } from './features/shell/start-page.ts'
import { loadTeamSentences } from './kit/team-sentences.ts'
import StartView from './features/start/StartView.vue'
import VerifyView from './features/verify/VerifyView.vue'

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

/** @param product The product's name in the window's title. */
export function makeRouter(product: () => string = () => 'Veridesk'): Router {
  const router = createRouter({
    history: hidingHistory(createWebHashHistory()),
    routes: [
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
        meta: { title: 'Getting started' }
      },
      {
        path: '/overview',
        name: 'overview',
        component: () => import('./features/overview/OverviewView.vue'),
        meta: { title: 'Overview' }
      },
      {
        path: '/history/:id?',
        name: 'history',
        component: () => import('./features/history/HistoryView.vue'),
        props: true,
        meta: { title: 'History' }
      },
      {
        path: '/batches',
        name: 'batches',
        component: () => import('./features/batches/BatchListView.vue'),
        meta: { title: 'Batches' }
      },
      {
        path: '/batches/new',
        name: 'batch-new',
        component: () => import('./features/batches/BatchNewView.vue'),
        meta: { title: 'New batch', under: 'batches' }
      },
      {
        path: '/batches/:id',
        name: 'batch',
        component: () => import('./features/batches/BatchView.vue'),
        props: true,
        meta: { title: 'Batch', under: 'batches' }
      },
      {
        path: '/applicants',
        name: 'applicants',
        component: () => import('./features/applicants/ApplicantListView.vue'),
        meta: { title: 'Applicants' }
      },
      {
        path: '/applicants/:id',
        name: 'applicant',
        component: () => import('./features/applicants/ApplicantView.vue'),
        props: true,
        meta: { title: 'Applicant', under: 'applicants' }
      },
      {
        path: '/queue',
        name: 'queue',
        component: () => import('./features/queue/QueueView.vue'),
        meta: { title: 'Work queue' }
      },
      {
        path: '/catalogue',
        name: 'catalogue',
        component: () => import('./features/catalogue/CatalogueView.vue'),
        meta: { title: 'Message catalogue' }
      },
      {
        path: '/audit',
        name: 'audit',
        component: () => import('./features/audit/AuditView.vue'),
        meta: { title: 'Audit trail' }
      },
      {
        path: '/data-management',
        name: 'data-management',
        component: () => import('./features/data-management/DataManagementView.vue'),
        meta: { title: 'Data management' }
      },
      {
        path: '/evidence',
        name: 'evidence',
        component: () => import('./features/evidence/EvidenceView.vue'),
        meta: { title: 'Evidence' }
      },
      {
        path: '/connections',
        name: 'connections',
        component: () => import('./features/connections/ConnectionsView.vue'),
        meta: { title: 'Connections' }
      },
      {
        path: '/diagnosis',
        name: 'diagnosis',
        component: () => import('./features/diagnosis/DiagnosisView.vue'),
        meta: { title: 'Network diagnosis', under: 'connections' }
      },
      {
        path: '/settings',
        name: 'settings',
        component: () => import('./features/settings/SettingsView.vue'),
        meta: { title: 'Settings' }
      },
      {
        path: '/team',
        name: 'team',
        component: () => import('./features/team/TeamView.vue'),
        meta: { title: 'Team', under: 'settings' }
      },
      {
        path: '/about',
        name: 'about',
        component: () => import('./features/about/AboutView.vue'),
        meta: { title: 'Help and diagnostics' }
      },
      { path: '/:rest(.*)*', redirect: '/' }
    ]
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
