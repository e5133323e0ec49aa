/**
 * Screen-share mode in the window. While it is on, personal data is not in the page at all, so neither a screen reader,
 * nor a copy, nor a search in the page finds it. Everything that shows such data uses `SafeText`, `MiddleText`,
 * `HiddenBlock`, or for attributes and sentences `shownLine`; a test walks all views with known values to prove it.
 */
import { computed, inject, provide, readonly, ref, shallowRef, watch, type InjectionKey } from 'vue'
import { oneLine } from '#contract/text/hidden-text.ts'
import type { HiddenField, ValueAbout } from '#contract/lock/screen-share.ts'
import { ask } from '../bridge.ts'
import { onRemoval } from './removal.ts'
import { hideAgain, isHiddenField, showField } from './hidden-fields.ts'
import { words } from './words.ts'

const on = ref(false)

/** Whether personal data is hidden. */
export const isHidden = readonly(on)
/** Follows core's state, and precedes it if a person switches the mode on. */
export const setHidden = (hidden: boolean): void => void (on.value = hidden)

/** In place of a hidden text, where no button that shows it fits. */
export const hiddenWord = 'hidden'
/** A text from others on one line, for attributes, sentences, toasts and announcements. */
export const shownLine = (text: string): string => (on.value ? hiddenWord : oneLine(text))

/** A value that can be shown for as long as it has the focus. */
interface HiddenValue {
  readonly text: string
  readonly field: HiddenField
  readonly about?: ValueAbout | undefined
}

/** By the element that stands for it. Outside of the page, which must not contain it. */
const values = new WeakMap<Element, () => HiddenValue>()
export const registerValue = (element: Element, value: () => HiddenValue): void => void values.set(element, value)

/** What is shown now: a text beside its element, or what a block or a field contains. One at a time. */
interface Shown {
  /** The element that has the focus for it. */
  readonly holder: HTMLElement
  readonly place: Element
  readonly text?: string
}
const current = shallowRef<Shown>()
export const shown = computed(() => current.value)

export function conceal(): void {
  const field = current.value?.place
  current.value = undefined
  if (field) hideAgain(field)
}
watch(on, conceal, { flush: 'sync' })

/** Records that a value is shown; false if it could not be, and the value stays hidden. */
const recorded = async (field: HiddenField, about: ValueAbout | undefined): Promise<boolean> =>
  (await ask('screenShare.reveal', { field, ...(about && { about }) })).ok

const holderOf = (element: Element): HTMLElement | null =>
  element.closest<HTMLElement>('a[href], button, summary, [tabindex]:not([tabindex="-1"])')

/** Shows the value of an element, beside it, until the focus leaves. */
export async function showValue(element: Element): Promise<void> {
  const value = values.get(element)?.()
  const holder = holderOf(element)
  if (!value || !holder || !on.value) return
  holder.focus()
  if (!(await recorded(value.field, value.about)) || !on.value || !holder.contains(document.activeElement)) return
  conceal()
  current.value = { holder, place: element, text: value.text }
}

/** Shows what a block contains; its owner draws it while `shown` is of this element. */
async function showBlock(place: HTMLElement, field: HiddenField, about: ValueAbout | undefined): Promise<void> {
  if (!(await recorded(field, about)) || !on.value) return
  conceal()
  // Before the button that was pressed is gone: the focus must not leave the block with it.
  place.focus()
  // The tools of a document are beside it.
  current.value = { holder: place.closest<HTMLElement>('[data-documents]') ?? place, place }
}
/** By the element that has it: how a block is shown. */
const blocks = new WeakMap<Element, () => void>()
/** Returns what shows the block. */
export function registerBlock(
  place: HTMLElement,
  field: HiddenField,
  about: () => ValueAbout | undefined
): () => Promise<void> {
  const show = (): Promise<void> => showBlock(place, field, about())
  blocks.set(place, () => void show())
  return show
}
/** The first hidden block beside what has the focus, or around that. */
function blockNear(focused: Element): Element | undefined {
  for (let around: Element | null = focused; around; around = around.parentElement) {
    const block = [around, ...around.querySelectorAll('[data-hidden-block]')].find(
      (each) => each.matches('[data-hidden-block]') && current.value?.place !== each
    )
    if (block) return block
  }
  return undefined
}

async function showText(field: HTMLElement): Promise<void> {
  if (!(await recorded('input', undefined)) || !on.value || document.activeElement !== field) return
  conceal()
  showField(field)
  current.value = { holder: field, place: field }
}

/** Shows what has the focus: a field, a value, the next hidden value of a row or a link, or the nearest document or response. */
export function showFocused(): void {
  const focused = document.activeElement
  if (!on.value || !(focused instanceof HTMLElement)) return
  if (isHiddenField(focused)) return void showText(focused)
  const active = focused.getAttribute('aria-activedescendant')
  const within = (active && document.getElementById(active)) || focused
  const all = [...(within.matches('[data-hidden]') ? [within] : within.querySelectorAll('[data-hidden]'))].filter(
    (each) => holderOf(each) === focused
  )
  const next = all[(current.value ? all.indexOf(current.value.place) + 1 : 0) % Math.max(1, all.length)]
  if (next) return void showValue(next)
  const block = blockNear(focused)
  if (block) blocks.get(block)?.()
}

const aboutKey: InjectionKey<() => ValueAbout | undefined> = Symbol('about')
/** Says whom the values of a view are about, for their events. */
export const provideAbout = (about: () => ValueAbout | undefined): void => provide(aboutKey, about)
export const useAbout = (): (() => ValueAbout | undefined) => inject(aboutKey, () => undefined)

/** Letters of persons, by first appearance while the mode is on. */
const persons = new Map<string, string>()
watch(on, () => persons.clear(), { flush: 'sync' })
onRemoval('persons', () => persons.clear())

/** In place of a person's name and ID: “Person C”, the same until the mode ends. */
export function personOf(applicantId: string): string {
  const known = persons.get(applicantId)
  if (known !== undefined) return known
  let letters = ''
  for (let at = persons.size; at >= 0; at = Math.floor(at / 26) - 1)
    letters = String.fromCharCode(65 + (at % 26)) + letters
  const person = words.personLetter({ letters })
  persons.set(applicantId, person)
  return person
}
