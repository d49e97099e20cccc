/** Lists the settings with their values and where each comes from, for operators. Never holds a secret. */
import type { TSchema } from '@sinclair/typebox';
import { type Environment, readValues } from './read_values';
import type { SettingKeywords } from './setting_types';
import { SettingsSchema, type SettingValues } from './settings_schema';

export interface SettingRow {
  name: string;
  section: string;
  /** The value as text; absent when the setting has neither a value nor a default. A secret shows as `***`. */
  value?: string;
  source: 'default' | 'environment' | 'none';
  isSecret: boolean;
}

const MASK = '***';
/** Name and password in an address. */
const CREDENTIALS = /\/\/[^/@\s]+@/g;

/** `env` must pass `readValues`. */
export function describeSettings(env: Environment): SettingRow[] {
  const values = readValues(env);
  return Object.entries<TSchema & Partial<SettingKeywords>>(SettingsSchema.properties).map(([name, { section = '', isSecret }]) => {
    const isGiven = (env[name]?.trim() ?? '') !== '';
    const value = values[name as keyof SettingValues];
    const isSet = value !== undefined && String(value) !== '';
    return {
      name,
      section,
      value: !isSet ? undefined : isSecret ? MASK : String(value).replaceAll(CREDENTIALS, `//${MASK}@`),
      source: isGiven ? 'environment' : isSet ? 'default' : 'none',
      isSecret: isSecret === true,
    };
  });
}
