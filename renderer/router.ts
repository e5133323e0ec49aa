/** The pages. The verification form loads at once, everything else when the window is idle. */
import {
  createRouter,
  createWebHashHistory,
  type RouteLocationNormalized,
  type RouteLocationRaw,
  type Router
} from 'vue-router'
import { isOperationId, operations, operationOf } from '#contract/operations.ts'
import { hidingHistory } from './lib/hidden-addresses.ts'
import { startPage } from './lib/start-page.ts'
import { loadTeamSentences } from './lib/team-sentences.ts'
import StartView from './views/StartView.vue'
import VerifyView from './views/VerifyView.vue'

declare module 'vue-router' {
  interface RouteMeta {
    /** Name of the page, for the window's title and screen readers. */
    title?: string
    /** For a page that is not in the side bar: the side bar's page that it belongs to. */
    under?: string
  }
}

const first = operations[0].id

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
          isOperationId(String(to.params['operation'])) || { name: 'verify', params: { operation: first } }
      },
      {
        path: '/welcome',
        name: 'welcome',
        component: () => import('./views/WelcomeView.vue'),
        meta: { title: 'Getting started' }
      },
      {
        path: '/overview',
        name: 'overview',
        component: () => import('./views/OverviewView.vue'),
        meta: { title: 'Overview' }
      },
      {
        path: '/history/:id?',
        name: 'history',
        component: () => import('./views/HistoryView.vue'),
        props: true,
        meta: { title: 'History' }
      },
      {
        path: '/batches',
        name: 'batches',
        component: () => import('./views/BatchListView.vue'),
        meta: { title: 'Batches' }
      },
      {
        path: '/batches/new',
        name: 'batch-new',
        component: () => import('./views/BatchNewView.vue'),
        meta: { title: 'New batch', under: 'batches' }
      },
      {
        path: '/batches/:id',
        name: 'batch',
        component: () => import('./views/BatchView.vue'),
        props: true,
        meta: { title: 'Batch', under: 'batches' }
      },
      {
        path: '/applicants',
        name: 'applicants',
        component: () => import('./views/ApplicantListView.vue'),
        meta: { title: 'Applicants' }
      },
      {
        path: '/applicants/:id',
        name: 'applicant',
        component: () => import('./views/ApplicantView.vue'),
        props: true,
        meta: { title: 'Applicant', under: 'applicants' }
      },
      {
        path: '/queue',
        name: 'queue',
        component: () => import('./views/QueueView.vue'),
        meta: { title: 'Work queue' }
      },
      {
        path: '/catalogue',
        name: 'catalogue',
        component: () => import('./views/CatalogueView.vue'),
        meta: { title: 'Message catalogue' }
      },
      {
        path: '/audit',
        name: 'audit',
        component: () => import('./views/AuditView.vue'),
        meta: { title: 'Audit trail' }
      },
      {
        path: '/data-management',
        name: 'data-management',
        component: () => import('./views/DataManagementView.vue'),
        meta: { title: 'Data management' }
      },
      {
        path: '/evidence',
        name: 'evidence',
        component: () => import('./views/EvidenceView.vue'),
        meta: { title: 'Evidence' }
      },
      {
        path: '/connections',
        name: 'connections',
        component: () => import('./views/ConnectionsView.vue'),
        meta: { title: 'Connections' }
      },
      {
        path: '/diagnosis',
        name: 'diagnosis',
        component: () => import('./views/DiagnosisView.vue'),
        meta: { title: 'Network diagnosis', under: 'connections' }
      },
      {
        path: '/settings',
        name: 'settings',
        component: () => import('./views/SettingsView.vue'),
        meta: { title: 'Settings' }
      },
      {
        path: '/team',
        name: 'team',
        component: () => import('./views/TeamView.vue'),
        meta: { title: 'Team', under: 'settings' }
      },
      {
        path: '/about',
        name: 'about',
        component: () => import('./views/AboutView.vue'),
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
