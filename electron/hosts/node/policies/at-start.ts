/** What policies decide before there is a data folder with the last valid ones: which folder it is, and whether sample data start. */
import { homedir } from 'node:os'
import { dirname, isAbsolute, normalize } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { PolicyValues } from '#contract/settings/policies.ts'
import { closedBy, organisationOf } from '#core/policies/rules.ts'
import { understand } from '#core/policies/understand.ts'
import { defaultDataFolder } from '../data-folder.ts'
import { operatorName } from '../operator.ts'
import { policyReader } from './reader.ts'

/** Undefined if they cannot be used. */
async function policiesAtStart(): Promise<PolicyValues | undefined> {
  const set = understand(await policyReader(operatorName()).read())
  return set.ok ? set.value.values : undefined
}

/** The path of a policy with its variables replaced. */
export function expandedFolder(path: string, user: string = operatorName()): string {
  const variables: Readonly<Record<string, string>> = {
    user_home: homedir(),
    // A name that is no name of a folder must not lead to another one.
    user_name: user.replace(/[\\/:]|^\.+$/g, '_'),
    local_app_data: dirname(defaultDataFolder())
  }
  return normalize(path.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole))
}

/**
 * The data folder of this start. Policies that cannot be used say nothing: the default folder is opened then, and what it has of
 * earlier policies decides whether anything is sent. Failures: `data-folder-managed`, `data-folder-unusable`.
 *
 * @param given What the person named.
 */
export async function dataFolderOfStart(given?: string): Promise<Result<string, Failure>> {
  const values = (await policiesAtStart()) ?? {}
  const { DataFolder: managed } = values
  if (managed === undefined) return ok(given ?? defaultDataFolder())
  if (given !== undefined) return failed('data-folder-managed', { organisation: organisationOf(values) })
  const folder = expandedFolder(managed)
  return isAbsolute(folder) ? ok(folder) : failed('data-folder-unusable', { folder, reason: 'not-absolute' })
}

/** Why no sample data may be opened: they are turned off, or it is not known whether they are. */
export async function sampleRefusal(): Promise<Failure | undefined> {
  const values = await policiesAtStart()
  return values ? closedBy(values, 'PracticeAllowed') : failure('practice-off', { organisation: organisationOf({}) })
}
