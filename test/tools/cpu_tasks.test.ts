import { CpuTaskOverrun, type CpuTasks } from '../../src/port/cpu_tasks';
import { ToolInputError } from '../../src/tools/common';
import { runCpuTask } from '../../src/tools/cpu_tasks';

describe('runCpuTask', () => {
  const { signal } = new AbortController();
  const rejecting = (error: Error): CpuTasks => ({ run: () => Promise.reject(error), close: async () => {} });
  const reverse = (cpuTasks: CpuTasks, isLarge = true) => runCpuTask('reverseText', 'abc', { isLarge, ctx: { cpuTasks, signal } });

  it('runs small work in this thread', async () => {
    expect(await reverse(rejecting(new Error('not used')), false)).toBe('cba');
  });

  it.each(['time', 'memory'] as const)('tells the model to send less when a task exceeds its %s limit', async limit => {
    const refused = reverse(rejecting(new CpuTaskOverrun(limit)));
    await expect(refused).rejects.toBeInstanceOf(ToolInputError);
    await expect(refused).rejects.toThrow(`This took more ${limit} than is allowed. Give it less at a time.`);
  });

  it('passes other errors on', async () => {
    await expect(reverse(rejecting(new Error('cancelled')))).rejects.toThrow('cancelled');
  });
});
