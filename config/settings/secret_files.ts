/** Reads secrets from files, as Docker and Kubernetes mount them: NAME_FILE names the file that holds the value of NAME. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, SettingError } from './read_values';
import { SettingsSchema } from './settings_schema';

/** Returns the environment with the secret settings that have a file. Relative paths start at `home`. Throws a SettingError, as readSecretValue does. */
export function withSecretFiles(env: Environment, home: string): Environment {
  const names = Object.entries(SettingsSchema.properties).flatMap(([name, schema]) => ('isSecret' in schema ? [name] : []));
  return { ...env, ...Object.fromEntries(names.map(name => [name, readSecretValue(env, name, home)])) };
}

/**
 * Returns the value of the variable, or else the content of the file that `<name>_FILE` names, without one byte order mark and one line end. Throws a
 * SettingError when both are set, and for a file that cannot be read or is empty.
 */
export function readSecretValue(env: Environment, name: string, home: string): string | undefined {
  const value = env[name]?.trim() || undefined;
  const file = env[`${name}_FILE`]?.trim();
  if (!file) return value;
  if (value !== undefined) throw new SettingError(`${name} and ${name}_FILE are both set: unset one of them.`);
  const secret = readText(`${name}_FILE`, resolve(home, file))
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$|\r$/, '');
  if (secret.trim() === '') throw new SettingError(`${name}_FILE: ${file} is empty: write the value of ${name} into it.`);
  return secret;
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    const { code = 'unknown error' } = thrown as NodeJS.ErrnoException;
    throw new SettingError(`${name}: ${path} cannot be read (${code}): name a file that the user of the gateway can read.`);
  }
}
