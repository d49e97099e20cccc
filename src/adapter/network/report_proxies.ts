import type { Logger } from '../../port/logger';
import { describeProxies } from './proxy';

/** Writes the proxies in use into the log, once, without passwords. Returns a sentence about each variable that cannot be used. */
export function reportProxies(logger: Logger): string[] {
  const { proxies, direct, problems } = describeProxies();
  for (const { name, variable } of proxies) {
    const except = direct === '' ? 'this machine' : `this machine and NO_PROXY (${direct})`;
    logger.event('info', `requests to other servers go through the proxy ${name} (${variable}), except to ${except}`, {});
  }
  for (const problem of problems) logger.event('warn', problem, {});
  return problems;
}
