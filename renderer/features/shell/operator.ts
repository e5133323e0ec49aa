/** Who works here, as the window names the person: by the name in decisions, else by what the system knows. */
import { computed } from 'vue'
import { useApp } from './app-store.ts'

/** The first letters of the first and the last word, in capitals. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => word !== '')
  const first = (word: string | undefined): string => (word === undefined ? '' : ([...word][0] ?? ''))
  return `${first(words[0])}${words.length > 1 ? first(words.at(-1)) : ''}`.toLocaleUpperCase()
}

export function useOperator() {
  const app = useApp()
  const account = computed(() => app.state?.operator?.account ?? '')
  /** What the field for the name begins with. */
  const proposed = computed(() => app.state?.operator?.fullName ?? '')
  const name = computed(() => app.settings.displayName || proposed.value || account.value)
  /** Of what an event names: the account of the person here by the name, any other as it is. */
  const nameOf = (operator: string): string => (operator === account.value ? name.value : operator)
  return { account, proposed, name, nameOf, initials: computed(() => initialsOf(name.value)) }
}
