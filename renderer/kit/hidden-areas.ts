/**
 * Fields of several lines in screen-share mode. HTML has no such field for passwords, and the accessibility tree contains
 * what is in one. So while nobody types in it, an element that says only whether it is filled in stands in its place. The field
 * itself stays in the page, so its caret and its undo history do, too.
 */

const area = ':root[data-hides] textarea:not([data-shown], [data-public] *)'
/** Marks a field that another element stands in for. */
const away = 'data-away'
const standIn = 'data-stands-in'
/** Says that there is something, and not how much. */
const dots = '••••••••'

const nameOf = (field: HTMLTextAreaElement): string =>
  field.getAttribute('aria-label') ?? [...field.labels].map((label) => label.textContent.trim()).join(' ')

/** Where the height of a field comes from: it has none while it is away. */
const heights = new WeakMap<HTMLTextAreaElement, number>()

function put(field: HTMLTextAreaElement): void {
  if (field.offsetHeight > 0) heights.set(field, field.offsetHeight)
  const stand = document.createElement('div')
  stand.className = field.className
  stand.tabIndex = field.disabled ? -1 : 0
  for (const [name, value] of Object.entries({
    [standIn]: '',
    'role': 'textbox',
    'aria-multiline': 'true',
    'aria-label': nameOf(field)
  }))
    stand.setAttribute(name, value)
  for (const name of ['aria-describedby', 'aria-invalid']) {
    const value = field.getAttribute(name)
    if (value !== null) stand.setAttribute(name, value)
  }
  stand.style.height = `${heights.get(field) ?? 64}px`
  stand.addEventListener('focus', () => comeBack(field, true))
  field.before(stand)
  field.setAttribute(away, '')
  // Whoever moves the focus to the field need not know.
  field.focus = () => comeBack(field, true)
  fill(field, stand)
  hearLabels(field)
}

/**
 * The label of a field that is away brings it back. On the labels themselves: a listener on the document would make everything
 * in the window “clickable” for screen readers.
 */
const byLabel = ({ currentTarget: label }: Event): void => {
  if (label instanceof HTMLLabelElement && label.control instanceof HTMLTextAreaElement) comeBack(label.control, true)
}
function hearLabels(field: HTMLTextAreaElement): void {
  for (const label of field.labels) label.addEventListener('click', byLabel)
}

function fill(field: HTMLTextAreaElement, stand: Element): void {
  const text = field.value === '' ? field.placeholder : dots
  stand.toggleAttribute('data-empty', field.value === '')
  if (stand.textContent !== text) stand.textContent = text
}

function comeBack(field: HTMLTextAreaElement, takesFocus = false): void {
  if (!field.hasAttribute(away)) return
  field.removeAttribute(away)
  Reflect.deleteProperty(field, 'focus')
  if (takesFocus) field.focus()
  const stand = field.previousElementSibling
  if (stand?.hasAttribute(standIn)) stand.remove()
}

/** Replaces the hidden fields that nobody types in, and brings back those that are hidden no more. */
export function replaceAreas(): void {
  for (const field of document.querySelectorAll<HTMLTextAreaElement>(`textarea[${away}]`))
    if (!field.matches(area)) comeBack(field)
  for (const stand of document.querySelectorAll(`[${standIn}]`)) {
    const field = stand.nextElementSibling
    if (field instanceof HTMLTextAreaElement && field.hasAttribute(away)) {
      fill(field, stand)
      hearLabels(field)
    } else stand.remove()
  }
  for (const field of document.querySelectorAll<HTMLTextAreaElement>(`${area}:not([${away}])`))
    if (field !== document.activeElement) put(field)
}

/** Listens for the lifetime of the window: a field that is left is replaced. */
export function watchAreas(): void {
  document.addEventListener('focusout', () => queueMicrotask(replaceAreas))
}
