import './zod-setup.ts'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { declareLanguage } from './kit/language.ts'
import { listenToCore } from './features/shell/core-events.ts'
// Creates its policy before any other script could.
import './features/documents/pdf/worker-address.ts'
import { loadViews, makeRouter } from './router.ts'
import { useApp } from './features/shell/app-store.ts'
import { noteRecentPlaces } from './features/shell/recent-places.ts'
import { useConnections } from './features/connections/connections-store.ts'
import { useHistory } from './features/history/history-store.ts'
import './styles/main.css'
import { words } from './features/shell/words.ts'

/** Milliseconds that the first frame waits for core's answers, and then for the page that they lead to. */
const patience = 100
const late = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, patience))

declareLanguage(document)
const app = createApp(App).use(createPinia())
const router = makeRouter(() => (useApp().state?.sample ? words.verideskSampleData : 'Veridesk'))
listenToCore(router)
noteRecentPlaces(router)
const answered = Promise.all([useApp().load(), useConnections().load()])
void Promise.race([answered, late()])
  .then(() => {
    // Not earlier: until its first navigation has ended, the router ignores a change of the address.
    app.use(router)
    // A view that cannot be loaded does not keep the window from opening.
    return Promise.race([router.isReady().catch(() => undefined), late()])
  })
  .then(() => app.mount('#app'))
// A view that cannot be loaded now reports this when it is opened.
void answered
  .then(() => useHistory().counts({}))
  .then(() => loadViews(router))
  .catch(() => undefined)
