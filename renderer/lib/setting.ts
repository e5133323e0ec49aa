/** One setting bound to a control: saved at change, confirmed quietly, refused with a reason. */
import { useTimeoutFn } from '@vueuse/core'
import { computed, ref, shallowRef } from 'vue'
import { failure as failureOf, invalidField, type Failure } from '#contract/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { faultsOfIssues } from '#contract/field-issues.ts'
import { settingsSchema, type Settings } from '#contract/settings.ts'
import { useApp } from '../stores/app.ts'

const confirmedFor = 2500
/** The last change of each setting that is made out of what it was. */
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
      : failureOf('setting-invalid', {}, { [name]: Object.values(faultsOfIssues(checked.error.issues))[0] ?? invalidField('value-invalid') })
    saved.value = !failure.value
    confirmed.start()
    app.announce(failure.value ? sentencesOf(failure.value).what : 'Saved')
    return saved.value
  }
  /**
   * For a setting that is saved whole and edited in parts: work waits for what was begun before it, so that each change
   * is made out of the one before and none is lost where the core answers late.
   */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(name) ?? Promise.resolve()).then(work)
    turns.set(name, turn.catch(() => undefined))
    return turn
  }
  return { value: computed(() => app.settings[name]), saved, failure, change, inTurn }
}
