/** Returns the processor time that this process and its threads have used, in milliseconds. It does not count other programs on the machine. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
