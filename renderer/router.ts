/** The pages. The form that a first start leads to loads at once, everything else when the window is idle. */
import { ref, watchEffect } from 'vue'
import { createRouter, createWebHashHistory, type RouteRecordRaw, type Router } from 'vue-router'
import { firstOperation, isOperationId, operationOf } from '#contract/verification/operations.ts'
import { useApp } from './features/shell/app-store.ts'
import { hidingHistory } from './features/shell/hidden-addresses.ts'
import { isHidden } from './kit/screen-share.ts'
import { loadLaterSentences } from './kit/later-sentences.ts'
import CheckView from './features/check/CheckView.vue'
import StartView from './features/start/StartView.vue'
import { words } from './features/shell/words.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** Name of the page, for the window's title and screen readers. */
    title?: string
    /** For a page that is not in the side bar: the side bar's page that it belongs to. */
    under?: string
  }
}

const routes: RouteRecordRaw[] = [
  { path: '/', name: 'start', component: StartView },
  {
    path: '/verify',
    name: 'new-verification',
    redirect: { name: 'check' }
  },
  {
    path: '/verify/applicant',
    name: 'check',
    component: CheckView,
    meta: { title: words.checkAnApplicant, under: 'new-verification' }
  },
  {
    path: '/verify/:operation',
    name: 'verify',
    component: () => import('./features/verify/VerifyView.vue'),
    props: true,
    beforeEnter: (to) =>
      isOperationId(String(to.params['operation'])) || { name: 'verify', params: { operation: firstOperation } },
    meta: { under: 'new-verification' }
  },
  {
    path: '/welcome',
    name: 'welcome',
    component: () => import('./features/start/WelcomeView.vue'),
    meta: { title: words.gettingStarted }
  },
  {
    path: '/overview/list',
    name: 'overview-list',
    component: () => import('./features/overview/OverviewList.vue'),
    meta: { title: words.overview, under: 'overview' }
  },
  {
    path: '/overview/:tab(health)?',
    name: 'overview',
    component: () => import('./features/overview/OverviewView.vue'),
    props: true,
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
    meta: { title: words.queue }
  },
  {
    path: '/catalogue',
    name: 'catalogue',
    component: () => import('./features/catalogue/CatalogueView.vue'),
    meta: { title: words.catalogue }
  },
  {
    path: '/audit',
    name: 'audit',
    component: () => import('./features/audit/AuditView.vue'),
    meta: { title: words.auditTrail }
  },
  {
    path: '/evidence/:tab(trust)?',
    name: 'evidence',
    component: () => import('./features/evidence/EvidenceView.vue'),
    props: true,
    meta: { title: words.evidence }
  },
  {
    path: '/diagnosis',
    name: 'diagnosis',
    component: () => import('./features/diagnosis/DiagnosisView.vue'),
    meta: { title: words.networkDiagnosis, under: 'administration' }
  },
  {
    path: '/administration',
    name: 'administration',
    redirect: { name: 'connections' },
    component: () => import('./features/administration/AdministrationView.vue'),
    children: [
      {
        path: 'connections',
        name: 'connections',
        component: () => import('./features/connections/ConnectionsView.vue'),
        meta: { title: words.connections, under: 'administration' }
      },
      {
        path: 'data-management',
        name: 'data-management',
        component: () => import('./features/data-management/DataManagementView.vue'),
        meta: { title: words.dataManagement, under: 'administration' }
      },
      {
        path: 'team',
        name: 'team',
        component: () => import('./features/team/TeamView.vue'),
        meta: { title: words.team, under: 'administration' }
      },
      {
        path: 'keys',
        name: 'keys',
        component: () => import('./features/evidence/KeysView.vue'),
        meta: { title: words.keysAndEvidence, under: 'administration' }
      },
      {
        path: 'settings',
        name: 'settings',
        component: () => import('./features/settings/SettingsView.vue'),
        meta: { title: words.settings, under: 'administration' }
      }
    ]
  },
  {
    path: '/about',
    name: 'about',
    component: () => import('./features/about/AboutView.vue'),
    meta: { title: words.about }
  },
  { path: '/:rest(.*)*', redirect: '/' }
]

/** The window's title: what is locked or hidden comes first, for whoever looks at the task bar. */
function titleOf(page: string | undefined, product: string): string {
  if (useApp().state?.lock) return words.lockedVeridesk({ product })
  const title = page ? `${page} – ${product}` : product
  return isHidden.value ? words.titleDataHidden({ title }) : title
}

/** @param product The product's name in the window's title. */
export function makeRouter(product: () => string = () => 'Veridesk'): Router {
  const title = ref<string>()
  const router = createRouter({
    history: hidingHistory(createWebHashHistory()),
    routes
  })
  router.afterEach((to, _from, failure) => {
    if (failure) return
    const operation = String(to.params['operation'] ?? '')
    title.value = isOperationId(operation) ? operationOf(operation).title : to.meta.title
  })
  watchEffect(() => (document.title = titleOf(title.value, product())), { flush: 'sync' })
  return router
}

/** Loads the remaining sentences and views one after another while the window is idle, so that a first click does not wait. */
export async function loadViews(router: Router): Promise<void> {
  await new Promise((resolve) => requestIdleCallback(resolve))
  await loadLaterSentences()
  await Promise.all([import('./features/palette/PaletteList.vue'), import('./features/help/HelpPanel.vue')])
  // One that loaded with the first text in it would change the widths of that text's table.
  for (const face of document.fonts) void face.load().catch(() => undefined)
  for (const { components } of router.getRoutes()) {
    const view: unknown = components?.['default']
    // For a loaded view the router replaces the loader by the component.
    if (typeof view !== 'function') continue
    await new Promise((resolve) => requestIdleCallback(resolve))
    await (view as () => Promise<unknown>)()
  }
}
