/** Before the service tests: builds the command line if it is older than its sources. */
export default async function setup(): Promise<void> {
  const builder = new URL('../../../scripts/setup/build.mjs', import.meta.url)
  const { ensureBuild } = (await import(/* @vite-ignore */ builder.href)) as { ensureBuild(): Promise<void> }
  await ensureBuild()
}
