/** How a field keeps its form from being sent while something in it is missing. */
import { onBeforeUnmount, onMounted } from 'vue'

/**
 * `refuse` says, at the field, what is missing, takes the focus and returns true; the form is then not sent. Of several fields in one form,
 * the first that refuses is the only one that is asked. Does nothing outside a form.
 */
export function guardForm(field: () => Element | null, refuse: () => boolean): void {
  let form: HTMLFormElement | null | undefined
  const onSubmit = (event: Event): void => {
    if (event.target !== form || !refuse()) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  onMounted(() => {
    form = field()?.closest('form')
    // Before the form's own listener.
    form?.addEventListener('submit', onSubmit, { capture: true })
  })
  onBeforeUnmount(() => form?.removeEventListener('submit', onSubmit, { capture: true }))
}
