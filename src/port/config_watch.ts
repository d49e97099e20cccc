/** Reports changes of the operator's configuration files. */

/**
 * @example
 * import type { ConfigWatch } from './config_watch';
 *
 * // Files that never change, for tests of other parts.
 * export const noChanges: ConfigWatch = { watchFile: () => {}, close: () => {} };
 */
export interface ConfigWatch {
  /**
   * Calls back within half a second after the file may have changed, appeared or gone, until `close`. `name` is relative to the configuration
   * directory. The callback must not throw.
   */
  watchFile(name: string, onChange: () => void): void;
  close(): void;
}
