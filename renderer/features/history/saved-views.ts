/** Saved views of one list: kept in the settings under a name. */
import type { Settings } from '#contract/settings/settings.ts'
import { useApp } from '../shell/app-store.ts'
import { useSetting } from '../settings/setting.ts'
import { keepView } from './views.ts'
import { shownLine } from '../../kit/screen-share.ts'
import { words } from './words.ts'

type Saved = 'savedViews' | 'queueViews'

export function useSavedViews<Name extends Saved>(setting: Name) {
  type View = Settings[Name][number]
  const app = useApp()
  const { value: views, failure, change, inTurn } = useSetting(setting)
  const changed = (next: readonly View[]): Promise<boolean> => change(next as Settings[Name])
  const all = (): readonly View[] => views.value

  /** Adds a view, or replaces the one with its name; returns whether it was saved. */
  async function save(view: View): Promise<boolean> {
    if (!(await inTurn(() => changed(keepView(all(), view))))) return false
    app.showToast(words.viewNameSaved({ name: shownLine(view.name) }))
    return true
  }
  async function remove(name: string): Promise<boolean> {
    const index = all().findIndex((view) => view.name === name)
    const view = all()[index]
    // Compared by name: another change in progress replaces every view by a new object.
    if (!view || !(await inTurn(() => changed(all().filter(({ name: other }) => other !== name))))) return false
    app.showToast(words.viewNameRemoved({ name: shownLine(name) }), {
      undo: () => void inTurn(() => changed(all().toSpliced(index, 0, view)))
    })
    return true
  }
  return { views, failure, save, remove }
}
