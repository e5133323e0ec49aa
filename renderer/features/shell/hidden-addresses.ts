/** Addresses of the window's own links contain IDs and search texts; in screen-share mode the page contains none of them. */
import type { RouterHistory } from 'vue-router'
import { isHidden } from '../../kit/screen-share.ts'

/** An address that leads to one of the pages, without an applicant and without parameters. */
const isPlain = (path: string): boolean => !path.includes('?') && !path.startsWith('/applicants/')

/** Writes the addresses of links; following a link does not need them. */
export const hidingHistory = (history: RouterHistory): RouterHistory => ({
  ...history,
  // Getters are not copied.
  get location() {
    return history.location
  },
  get state() {
    return history.state
  },
  createHref: (path) => (isHidden.value && !isPlain(path) ? history.createHref('/hidden') : history.createHref(path))
})
