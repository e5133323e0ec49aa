/** Binds a setting to a control: saved on change, confirmed discreetly, refused with a reason. */
import { useTimeoutFn } from '@vueuse/core'
import { computed, ref, shallowRef } from 'vue'
import { failure as failureOf, invalidField, type Failure } from '#contract/failures/failures.ts'
import { faultsOfIssues } from '#contract/verification/field-issues.ts'
import { settingsSchema, type Settings } from '#contract/settings/settings.ts'
import { sentencesOf } from '../../kit/failure-text.ts'
import { useApp } from '../shell/app-store.ts'
import { words } from './words.ts'

const confirmedFor = 2500
/** The last pending change of each setting that is derived from its previous value. */
const turns = new Map<keyof Settings, Promise<unknown>>()

export function useSetting<Name extends keyof Settings>(name: Name) {
  const app = useApp()
  const saved = ref(false)
  const failure = shallowRef<Failure>()
  const confirmed = useTimeoutFn(() => (saved.value = false), confirmedFor, { immediate: false })

  /** `beside` is saved in the same step. */
  async function change(value: Settings[Name], beside: Partial<Settings> = {}): Promise<boolean> {
    const checked = settingsSchema.shape[name].safeParse(value)
    failure.value = checked.success
      ? await app.change({ ...beside, [name]: value })
      : failureOf(
          'setting-invalid',
          {},
          { [name]: Object.values(faultsOfIssues(checked.error.issues))[0] ?? invalidField('value-invalid') }
        )
    saved.value = !failure.value
    confirmed.start()
    app.announce(failure.value ? sentencesOf(failure.value).what : words.saved)
    return saved.value
  }
  /**
   * For a setting that is saved as a whole and edited in parts: work waits for earlier work, so each change is based on
   * the previous one and none is lost if core answers late.
   */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(name) ?? Promise.resolve()).then(work)
    turns.set(
      name,
      turn.catch(() => undefined)
    )
    return turn
  }
  /** Where the policy is that locks it; undefined if none does. */
  const managed = computed(() => app.state?.managed?.locked[name])
  return { value: computed(() => app.settings[name]), managed, saved, failure, change, inTurn }
}
