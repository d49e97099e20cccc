/**
 * The folder of an installed gateway: its file .env, configuration, data and workspace. The package itself may be read-only, and an update replaces
 * it. In a checkout the folder is the checkout.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownConfigDir } from '../../config/settings/home_folder';
import { copyConfiguration, ROOT } from './directory';
import { envFileOf } from './env_file';

/** A package has no sources. */
export const isInstalled = !existsSync(join(ROOT, 'src/main.ts'));

/** Returns the settings that make a directory the folder of the gateway; none in a checkout. */
export const folderSettings = (directory: string): { NETA_HOME?: string } => (isInstalled ? { NETA_HOME: resolve(directory) } : {});

/** Makes a directory the folder of the gateway that this process starts next: reads its file .env, and gives it a configuration when it has none. */
export async function openFolder(directory: string): Promise<void> {
  const file = envFileOf(resolve(directory));
  if (existsSync(file)) process.loadEnvFile(file);
  Object.assign(process.env, { ...folderSettings(directory), ...process.env });
  const configDir = ownConfigDir(process.env, ROOT);
  if (isInstalled && configDir !== undefined) await copyConfiguration(configDir);
}
