/** The folder of a gateway: relative paths of settings start there. */
import { resolve } from 'node:path';
import type { Environment } from './read_values';

/** Returns the folder that NETA_HOME names, or `root`, the directory of package.json. */
export const homeOf = (env: Environment, root: string): string => resolve(root, env['NETA_HOME']?.trim() || '.');

/** Returns the directory of the configuration in that folder; undefined when NETA_CONFIG_DIR names one. */
export const ownConfigDir = (env: Environment, root: string): string | undefined =>
  env['NETA_CONFIG_DIR']?.trim() ? undefined : resolve(homeOf(env, root), 'config');
