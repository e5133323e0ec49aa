/** Kills this process with SIGKILL: nothing of it runs any more, not even what follows the call. */
export function die(): void {
  process.kill(process.pid, 'SIGKILL')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
