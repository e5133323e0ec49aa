/** The check that has come further, as core says it: known to the window before the page of checks is loaded. */
import { shallowRef } from 'vue'

export const progressed = shallowRef<{ readonly checkId: string }>({ checkId: '' })
