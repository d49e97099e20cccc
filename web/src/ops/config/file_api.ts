/** Files of the configuration. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';

export type ConfigText = Answer<'OpsConfigFile'>;

const pathOf = (name: string): string => `/ops/config/${name.split('/').map(encodeURIComponent).join('/')}`;

export const readFile = (name: string): Promise<ConfigText> => callRest('GET', pathOf(name));

/**
 * Writes a file. `baseHash`: hash of the version that was changed; absent for a new file. Rejects `config_changed` when the file has changed since.
 */
export const writeFile = (name: string, text: string, baseHash: string | undefined): Promise<Answer<'OpsConfigWritten'>> =>
  callRest('PUT', pathOf(name), { text, baseHash });
