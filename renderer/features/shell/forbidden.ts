/** What a policy keeps people from in the window: its controls can be reached, do nothing, and say why. */
import type { DirectiveBinding, ObjectDirective } from 'vue'
import { failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '../../kit/failure-text.ts'
import { useApp } from './app-store.ts'

const closing = {
  copy: ['ClipboardAllowed', 'clipboard-off'],
  print: ['ExportsAllowed', 'exports-off'],
  practice: ['PracticeAllowed', 'practice-off']
} as const

/** Why people may not do this now, as a sentence; undefined if they may. Follows the policies where a template reads it. */
export function whyForbidden(act: keyof typeof closing): string | undefined {
  const managed = useApp().state?.managed
  const [policy, code] = closing[act]
  return managed?.closed[policy] === undefined
    ? undefined
    : sentencesOf(failure(code, { organisation: managed.organisation })).what
}

type Binding = DirectiveBinding<string | undefined>

function show(element: HTMLElement, { value: reason, oldValue }: Pick<Binding, 'value' | 'oldValue'>): void {
  if (reason === (oldValue ?? undefined)) return
  if (reason === undefined) {
    for (const name of ['aria-disabled', 'title', 'data-forbidden']) element.removeAttribute(name)
    return
  }
  element.setAttribute('aria-disabled', 'true')
  element.title = reason
  element.dataset['forbidden'] = reason
}

function refuse(event: Event): void {
  const reason = (event.currentTarget as HTMLElement).dataset['forbidden']
  if (reason === undefined) return
  event.preventDefault()
  // What the control would do is never asked.
  event.stopImmediatePropagation()
  useApp().showToast(reason, { tone: 'warning' })
}

/** Turns a button or an entry of a menu off for a reason, if there is one; a click shows it. */
export const vForbidden: ObjectDirective<HTMLElement, string | undefined> = {
  created: (element) => element.addEventListener('click', refuse, { capture: true }),
  beforeMount: show,
  updated: show
}
