/** Shell limits for tests: the defaults of the settings, or lower ones. */
import type { ShellLimits } from '../../src/port/shell';

export const shellLimits = (lower: Partial<ShellLimits> = {}): ShellLimits => ({
  processes: 512,
  memoryBytes: 2 * 1024 ** 3,
  cpuSeconds: 1_800,
  fileBytes: 1024 ** 3,
  outputBytes: 256 * 1024,
  timeMs: 600_000,
  ...lower,
});
