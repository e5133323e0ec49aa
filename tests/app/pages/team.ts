/** The team: its database, its members, joining and leaving. */
import type { Locator, Page } from '@playwright/test'
import { goTo } from './go.ts'

export class TeamPage {
  readonly page: Page
  readonly main: Locator
  readonly create: Locator
  readonly join: Locator
  readonly members: Locator
  readonly failure: Locator

  constructor(page: Page) {
    this.page = page
    this.main = page.getByRole('main')
    this.create = this.main.getByRole('form', { name: 'Create a team' })
    this.join = this.main.getByRole('form', { name: 'Join a team' })
    this.members = this.main.getByRole('list', { name: 'Members of the team' }).getByRole('listitem')
    this.failure = this.main.getByRole('group', { name: 'What went wrong' })
  }
  async open(): Promise<void> {
    await goTo(this.page, '/administration/team', 'Team')
  }
  /** The SQL that gives this installation access. */
  async sql(): Promise<string> {
    await this.main.getByRole('button', { name: 'Show SQL' }).click()
    return this.main.getByRole('group', { name: 'SQL for the administrator' }).locator('pre').innerText()
  }
  button(name: string | RegExp): Locator {
    return this.main.getByRole('button', { name })
  }
  /** What people compare. */
  words(of: 'the team’s words' | 'the request’s words'): Promise<string> {
    return this.main.getByRole('group', { name: of }).getByTestId('words').first().innerText()
  }
}
