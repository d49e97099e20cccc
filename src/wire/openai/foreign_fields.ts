/** Fields of requests to /v1 that have no meaning here: clients send fields of other servers. They go to the model server, or are ignored by name. */
import type { TObject } from '@sinclair/typebox';

type Fields = Record<string, unknown>;

export interface ForeignFields {
  /** Fields that the model server takes. */
  passed: Fields;
  /** Value of the header x-ignored-fields: the other names, sorted. Absent: there are none. */
  ignored?: string;
}

const MAX_NAMES = 50;
const MAX_NAME_UNITS = 64;

/** Returns the fields of a body without those that are null, which count as absent. Other values are returned as they are. */
export function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Splits unknown fields. `schema`: names the fields with a meaning. `taken`: names of fields that the model server takes. */
export function readForeignFields(body: object, schema: TObject, taken: readonly string[]): ForeignFields {
  const foreign = Object.entries(body).filter(([name, value]) => value !== null && !Object.hasOwn(schema.properties, name));
  const names = foreign.map(([name]) => name).filter(name => !taken.includes(name));
  const written = names.map(name => encodeURIComponent(name.slice(0, MAX_NAME_UNITS).toWellFormed())).toSorted();
  return {
    passed: Object.fromEntries(foreign.filter(([name]) => taken.includes(name))),
    ignored: names.length > 0 ? written.slice(0, MAX_NAMES).join(', ') : undefined,
  };
}
