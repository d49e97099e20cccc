/**
 * Returns the tasks of the page's main thread while `work` ran: `ms` as the clock measured, `cpuMs` of the processor, which does not depend on what
 * else runs on the machine. Chromium slows a processor down by the clock, so under load a slowed down one is slower than its factor says.
 */
export async function traceTasks(browser, page, work) {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  const isMain = ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain';
  const mains = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur !== undefined && mains.has(`${pid} ${tid}`));
  return tasks.map(({ dur, tdur }) => ({ ms: dur / 1_000, cpuMs: tdur / 1_000 }));
}
