/** The search over the settings: rows that do not match are not shown, sections without rows neither. */
import { inject, provide, type InjectionKey, type Ref } from 'vue'
import { finder } from '#kit/text/folding.ts'

const key: InjectionKey<Readonly<Ref<string>>> = Symbol('settings search')
export const provideSettingsSearch = (text: Readonly<Ref<string>>): void => provide(key, text)

/** Whether a row with these words is found. */
export function useIsFound(): (text: string) => boolean {
  const search = inject(key, undefined)
  return (text) =>
    (search?.value ?? '')
      .split(/\s+/)
      .flatMap((word) => finder(word) ?? [])
      .every((isIn) => isIn(text))
}
