/** Who works here, as the window names the person: by the name in decisions, else by what the system knows. */
import { computed } from 'vue'
import { signerOf } from '#contract/app/signatures.ts'
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
  /** Of how somebody signed: the name; of the person here also where the account signed alone. */
  function nameOf(signature: string): string {
    const signer = signerOf(signature)
    return signer.name === account.value ? name.value : signer.name
  }
  return { account, proposed, name, nameOf, initials: computed(() => initialsOf(name.value)) }
}
