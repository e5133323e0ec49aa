/** Batches: the list, a new one, and one batch with its rows. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { RowState } from '#contract/batches/rows.ts'
import { goTo } from './go.ts'

export class BatchesPage {
  readonly page: Page
  readonly create: Locator
  readonly search: Locator
  readonly lines: Locator
  readonly empty: Locator
  readonly templates: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.create = main.getByRole('link', { name: 'New batch' })
    this.search = main.getByRole('textbox', { name: 'Search names, files and connections' })
    this.lines = main.getByRole('grid', { name: /^Batches, / }).locator('.row')
    this.empty = main.getByText('No batches yet')
    this.templates = main.getByRole('list', { name: 'Templates' }).getByRole('button')
  }

  async open(): Promise<void> {
    await goTo(this.page, '/batches', 'Batches')
  }
}

export class NewBatchPage {
  readonly page: Page
  readonly main: Locator
  readonly operation: Locator
  readonly choose: Locator
  readonly rows: Locator
  readonly drop: Locator
  readonly fileName: Locator
  /** Why the file was refused. */
  readonly fault: Locator
  readonly encoding: Locator
  /** Another encoding for a file that was refused. */
  readonly readAs: Locator
  readonly delimiter: Locator
  readonly sample: Locator
  readonly faults: Locator
  /** The message about a file that the console itself wrote. */
  readonly restored: Locator
  /** Apostrophes without a mark. */
  readonly apostrophes: Locator
  readonly name: Locator
  readonly atOnce: Locator
  readonly pace: Locator
  readonly estimate: Locator
  readonly confirmation: Locator
  readonly start: Locator
  readonly keep: Locator
  readonly steps: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.main = main
    this.operation = main.getByRole('combobox', { name: 'Operation' })
    this.choose = main.getByRole('button', { name: 'Choose a file' })
    this.rows = main.getByRole('textbox', { name: 'or paste rows' })
    this.drop = page.getByTestId('drop')
    this.fileName = page.getByTestId('file-name')
    this.fault = main.getByRole('group', { name: 'File error' })
    this.readAs = main.getByRole('combobox', { name: 'Read as' })
    this.encoding = main.getByRole('combobox', { name: 'Encoding' })
    this.delimiter = main.getByRole('combobox', { name: 'Delimiter' })
    this.sample = main.getByRole('region', { name: 'First rows' })
    this.restored = page.getByTestId('restored')
    this.apostrophes = main.getByRole('region', { name: 'Apostrophes' })
    this.faults = main.getByRole('grid', { name: 'Lines of the file' })
    this.name = main.getByRole('textbox', { name: 'Batch name' })
    this.atOnce = main.getByRole('textbox', { name: 'Concurrency' })
    this.pace = main.getByRole('textbox', { name: 'Rate limit' })
    this.estimate = page.getByTestId('estimate')
    this.confirmation = main.getByRole('textbox', { name: /^Type .* to confirm$/ })
    this.start = main.getByRole('button', { name: /^Start/ })
    this.keep = main.getByRole('button', { name: 'Save as draft' })
    this.steps = main.getByRole('list', { name: 'Steps' })
  }

  async open(): Promise<void> {
    await goTo(this.page, '/batches/new', 'New batch')
  }
  /** Pastes as a spreadsheet does; the rows are validated at once. */
  async paste(text: string): Promise<void> {
    await this.rows.evaluate((field, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
    await this.fileName.or(this.fault).first().waitFor()
  }
  async dropFile(name: string, bytes: readonly number[]): Promise<void> {
    await this.drop.evaluate(
      (place, [called, content]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([new Uint8Array(content)], called))
        place.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      },
      [name, [...bytes]] as const
    )
    await this.fileName.or(this.fault).first().waitFor()
  }
  async saveInvalid(form = 'CSV'): Promise<void> {
    await saveAs(this.main.getByRole('button', { name: /^Save .* invalid row/ }), form)
  }
  /** The heading of a step. */
  step(step: 'File' | 'Columns' | 'Rows' | 'Send'): Locator {
    return this.main.getByRole('heading', { level: 2, name: new RegExp(`: ${step}$`) })
  }
  /** Goes to a step by its name; after the rows have been read, if they are being read. */
  async go(step: 'File' | 'Columns' | 'Rows' | 'Send'): Promise<void> {
    await this.steps.getByRole('button', { name: step }).click()
    await this.step(step).waitFor()
  }
  column(field: string): Locator {
    return this.main.getByRole('group', { name: 'Columns' }).getByRole('combobox', { name: field, exact: true })
  }
  figure(name: 'rows' | 'valid' | 'invalid' | 'duplicate' | 'recently-answered'): Locator {
    return this.page.getByTestId(`check-${name}`)
  }
  /** The page of the batch that was saved as a draft. */
  async kept(): Promise<BatchPage> {
    await this.keep.click()
    const batch = new BatchPage(this.page)
    await batch.state.waitFor()
    return batch
  }
  /** Starts, and returns the page of the running batch. */
  async run(): Promise<BatchPage> {
    await this.go('Send')
    await this.start.click()
    const batch = new BatchPage(this.page)
    await batch.state.waitFor()
    return batch
  }
}

export class BatchPage {
  readonly page: Page
  readonly main: Locator
  readonly state: Locator
  readonly sentence: Locator
  readonly progress: Locator
  readonly start: Locator
  readonly pause: Locator
  readonly cancel: Locator
  readonly again: Locator
  readonly save: Locator
  readonly reason: Locator
  /** Why a requested action failed. */
  readonly refused: Locator
  readonly unknown: Locator
  readonly table: Locator
  readonly rows: Locator
  readonly rowsTotal: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.main = main
    this.state = page.getByTestId('batch-state')
    this.sentence = page.getByTestId('batch-sentence')
    this.progress = main.getByRole('progressbar', { name: 'Progress' })
    this.start = main.getByRole('button', { name: /^(Start|Resume)/ })
    this.pause = main.getByRole('button', { name: 'Pause' })
    this.cancel = main.getByRole('button', { name: 'Stop', exact: true })
    this.again = main.getByRole('button', { name: 'Run again' })
    this.save = main.getByRole('button', { name: 'Save results' })
    this.reason = main.getByRole('group', { name: /^Why the batch (stopped|is held)$/ })
    this.refused = main.getByRole('group', { name: 'Action failed' })
    this.unknown = main.getByRole('region', { name: 'Rows with unknown outcome' })
    this.table = main.getByRole('grid', { name: 'Rows of the batch' })
    this.rows = this.table.getByRole('row').filter({ has: page.getByRole('gridcell') })
    this.rowsTotal = page.getByTestId('rows-total')
  }

  async count(state: RowState): Promise<number> {
    const shown = this.page.getByTestId(`count-${state}`)
    return (await shown.count()) === 0 ? 0 : Number((await shown.innerText()).replaceAll(',', ''))
  }
  row(number: number): Locator {
    const shown = new RegExp(`^${number.toLocaleString('en-GB')}$`)
    return this.rows.filter({ has: this.page.locator('[role="gridcell"][aria-colindex="2"]', { hasText: shown }) })
  }
  /** The messages of the answers, opened if they are closed. */
  async messages(): Promise<Locator> {
    const opener = this.main.getByRole('button', { name: /^\d+ messages?/ })
    if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click()
    return this.main.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  }
  async runAgain(item: string | RegExp): Promise<void> {
    await this.again.click()
    await this.page.getByRole('menuitem', { name: item }).click()
  }
  async filter(state: string): Promise<void> {
    await this.page.getByRole('button', { name: /^State filter/ }).click()
    await this.page.getByRole('dialog', { name: 'State filter' }).getByRole('checkbox', { name: state }).click()
    await this.page.keyboard.press('Escape')
  }
  /** Saves a file and returns its path, as shown in the window. */
  async saveFile(label: RegExp): Promise<string> {
    const before = (await this.page.getByTestId('toast').allInnerTexts()).join('')
    await this.save.click()
    await this.page.getByRole('menuitem', { name: label }).click()
    return savedPath(this.page, before)
  }
  column(heading: string): Locator {
    return this.table.getByRole('columnheader', { name: heading, exact: true })
  }
  async confirm(action: string | RegExp, typed?: string): Promise<void> {
    const dialog = this.page.getByRole('dialog')
    if (typed !== undefined) await dialog.getByRole('textbox').fill(typed)
    await dialog.getByRole('button', { name: action }).click()
    await dialog.waitFor({ state: 'detached' })
  }
}
/** Presses a button that saves a table, and chooses its form. */
export async function saveAs(button: Locator, form = 'CSV'): Promise<void> {
  await button.click()
  await button.page().getByRole('menuitem', { name: form }).click()
}
/** The path of a saved file as shown in the window; `before` is the path shown for an earlier one. */
export async function savedPath(page: Page, before = ''): Promise<string> {
  const word = page.getByTestId('toast')
  await expect(word).toContainText('saved as')
  if (before !== '') await expect(word).not.toHaveText(before)
  return (await word.locator('bdi').innerText()).split('saved as ')[1] ?? ''
}
