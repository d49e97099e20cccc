/** The place of a gateway on this machine: its directories, and the address at which it listens. */
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { homeOf } from '../../config/settings/home_folder';
import { isLoopbackAddress } from '../utils/loopback_address';
import { ROOT } from './directory';
import { readEnvFile } from './env_file';
import { folderSettings } from './gateway_folder';

export interface LocalPlace {
  dataDir: string;
  workspace: string;
  configDir: string;
  host: string;
  port: number;
  /** A server keeps the database, which only the gateway asks. */
  isOnServer: boolean;
}

/**
 * Returns the settings with which `neta start` starts the gateway of a directory that `neta init` wrote: the environment, and its file .env for what
 * the environment does not set.
 */
export async function readEnvironment(directory: string, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  return { ...folderSettings(directory), ...(await readEnvFile(resolve(directory))), ...env };
}

/** Returns the address at which programs of this machine reach the gateway. */
export function addressOf({ host, port }: LocalPlace): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Finds the directories of a gateway. `root`: the directory of package.json. */
export function findPlace(root: string, values: NodeJS.ProcessEnv): LocalPlace {
  const at = (name: string, usual: string) => resolve(homeOf(values, root), values[name]?.trim() || usual);
  return {
    dataDir: at('NETA_DATA_DIR', 'data'),
    workspace: at('NETA_WORKSPACE', 'workspace'),
    configDir: at('NETA_CONFIG_DIR', 'config'),
    host: values['HOST']?.trim() || '127.0.0.1',
    port: Number(values['PORT']?.trim() || 7001),
    isOnServer: ['DATABASE_URL', 'DATABASE_URL_FILE'].some(name => Boolean(values[name]?.trim())),
  };
}

/**
 * Resolves with the address of the gateway of a directory. A HOST that is no address of this machine does not count: keys would go to another machine,
 * and a directory may be somebody else's.
 */
export async function folderAddress(directory: string, env: NodeJS.ProcessEnv): Promise<string> {
  const place = findPlace(ROOT, await readEnvironment(directory, env));
  const own = Object.values(networkInterfaces()).flatMap(addresses => (addresses ?? []).map(({ address }) => address));
  const isOwn = ['0.0.0.0', '::', 'localhost', ...own].includes(place.host) || isLoopbackAddress(place.host);
  return addressOf(isOwn ? place : { ...place, host: '127.0.0.1' });
}
