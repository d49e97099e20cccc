/** Checks the settings of a tool against the `config_schema` of its manifest. No message holds a value: settings are secrets. */

import type { FieldMistake } from '../../service/config_file_check';
import { escapeKey } from '../../utils/json_pointer';
import type { ConfigField } from './manifest_schema';

export type SettingValues = Readonly<Record<string, unknown>>;

const SECRET_NAME = /key|token|secret|passw|credential|authorization/i;

/** Returns the rule that the value breaks, as a clause; undefined when the value is valid. */
export function valueProblem({ type }: Pick<ConfigField, 'type'>, value: unknown): string | undefined {
  const isValid = {
    string: () => typeof value === 'string',
    integer: () => Number.isSafeInteger(value),
    number: () => typeof value === 'number' && Number.isFinite(value),
    boolean: () => typeof value === 'boolean',
    array: () => Array.isArray(value),
    object: () => typeof value === 'object' && value !== null && !Array.isArray(value),
  }[type]();
  return isValid ? undefined : `must be ${type}`;
}

/** Finds every mistake in the values. */
export function settingsMistakes(schema: Readonly<Record<string, ConfigField>>, values: unknown): FieldMistake[] {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return [{ field: '', reason: 'must be a map of settings' }];
  const given = new Map<string, unknown>(Object.entries(values));
  const wrong = [...given].flatMap(([name, value]) => {
    const field = Object.hasOwn(schema, name) ? schema[name] : undefined;
    const reason = field ? valueProblem(field, value) : `there is no setting ${name}`;
    return reason === undefined ? [] : [{ field: `/${escapeKey(name)}`, reason }];
  });
  const missing = Object.entries(schema).filter(([name, field]) => field.required && isLeftOut(field, given.get(name)));
  return [...wrong, ...missing.map(([name]) => ({ field: `/${escapeKey(name)}`, reason: 'is required' }))];
}

/** Returns true when the field is missing. An empty text counts as missing: example files have empty texts where a value must be filled in. */
const isLeftOut = (field: ConfigField, value: unknown): boolean =>
  (value === undefined && field.default === undefined) || (value === '' && field.type === 'string');

/** Returns the values with the defaults of the schema. */
export function withDefaultSettings(schema: Readonly<Record<string, ConfigField>>, values: SettingValues): SettingValues {
  const defaults = Object.entries(schema).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]]));
  return { ...Object.fromEntries(defaults), ...values };
}

/** Returns the texts that no output of the tool may hold. */
export function secretsIn(schema: Readonly<Record<string, ConfigField>>, values: SettingValues): string[] {
  const isSecret = ([name, field]: [string, ConfigField]) => field.secret ?? SECRET_NAME.test(name);
  return Object.entries(schema).flatMap(entry => {
    const value = values[entry[0]];
    return isSecret(entry) ? textsIn(value) : [];
  });
}

/** Returns the texts that no result of any tool may hold: a setting that only has the name of a secret, such as `keyword`, may hold a word. */
export function certainSecrets(schema: Readonly<Record<string, ConfigField>>, values: SettingValues): string[] {
  const declared = secretsIn(Object.fromEntries(Object.entries(schema).filter(([, field]) => field.secret === true)), values);
  return [...declared, ...secretsIn(schema, values).filter(text => text.length >= UNMISTAKABLE_UNITS && !/\s/.test(text))];
}

const UNMISTAKABLE_UNITS = 16;

/** The shortest secret: removing shorter texts would remove ordinary words. */
const MIN_SECRET_UNITS = 6;

function textsIn(value: unknown): string[] {
  if (typeof value === 'number') return textsIn(String(value));
  if (typeof value === 'string') return value.length < MIN_SECRET_UNITS ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
